"""Models from Hugging Face's hub, kept in a folder."""

from __future__ import annotations

import os
import pathlib
import re


class Hub:
    """Fetches models: a graph, its weights and their manifest.

    Files are cached in cache_dir with their sizes and digests, which are verified before use.
    HF_ENDPOINT in the environment selects another server.
    """

    FILES = {"graph": "model.webnn", "weights": "model.weights", "manifest": "manifest.json"}

    def __init__(self, cache_dir: str | os.PathLike[str] | None = None) -> None:
        self.cache_dir = (
            pathlib.Path(cache_dir)
            if cache_dir is not None
            else pathlib.Path.home() / ".cache" / "webnn"
        )

    def _folder(self, model_id: str) -> pathlib.Path:
        if not re.fullmatch(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", model_id, re.ASCII):
            raise ValueError(
                f"Invalid model_id format: {model_id}. Expected format: 'username/model-name'"
            )
        return self.cache_dir / model_id.replace("/", "--")

    def download_model(self, model_id: str, force: bool = False) -> dict[str, str]:
        """The paths of the model's files, downloaded if they are not cached: {"graph", "weights",
        "manifest"}.

        Raises ValueError for an invalid id, RuntimeError if a file cannot be fetched or is not a
        graph.
        """
        import json

        folder = self._folder(model_id)
        folder.mkdir(parents=True, exist_ok=True)
        record = folder / "digests.json"
        try:
            known: dict[str, str] = json.loads(record.read_text())
        except (OSError, ValueError):
            known = {}
        for name in self.FILES.values():
            path = folder / name
            if not force and path.exists() and known.get(name) == _digest(path):
                continue
            _fetch(
                f"{os.environ.get('HF_ENDPOINT', 'https://huggingface.co')}/{model_id}/resolve/main/{name}?download=true",
                path,
            )
            known[name] = _digest(path)
            record.write_text(json.dumps(known))
        with open(folder / self.FILES["graph"], "rb") as graph:
            if not graph.read(64).lstrip().startswith((b"webnn_graph", b"{", b"#")):
                raise RuntimeError(f"Invalid graph file: {folder / self.FILES['graph']}")
        return {kind: str(folder / name) for kind, name in self.FILES.items()}

    def list_cached_models(self) -> list[str]:
        """The ids of the cached models."""
        if not self.cache_dir.is_dir():
            return []
        return sorted(
            p.name.replace("--", "/", 1)
            for p in self.cache_dir.iterdir()
            if p.is_dir() and "--" in p.name
        )

    def clear_cache(self, model_id: str | None = None) -> None:
        """Removes the files of one model, or of all."""
        import shutil

        for model in self.list_cached_models() if model_id is None else [model_id]:
            shutil.rmtree(self._folder(model), ignore_errors=True)


def _digest(path: pathlib.Path) -> str:
    import hashlib

    with open(path, "rb") as file:
        return f"{path.stat().st_size}:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def _fetch(url: str, path: pathlib.Path) -> None:
    """Downloads to a temporary file and renames it when it is complete."""
    import shutil
    import urllib.request

    part = path.with_name(path.name + ".part")
    try:
        with urllib.request.urlopen(url, timeout=60) as response, open(part, "wb") as file:
            shutil.copyfileobj(response, file)
            length = response.headers.get("Content-Length")
        if length is not None and int(length) != part.stat().st_size:
            raise RuntimeError(f"{part.stat().st_size} of {length} bytes received")
        os.replace(part, path)
    except (OSError, ValueError, RuntimeError) as e:
        raise RuntimeError(f"Failed to download {url}: {e}") from e
    finally:
        part.unlink(missing_ok=True)

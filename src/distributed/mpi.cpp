// Finds and opens an MPI library, and selects its handles.
#include "src/distributed/mpi.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

namespace ember::distributed {
namespace {

bool set(const char* variable) { return std::getenv(variable) != nullptr; }

void* open_library() {
  std::vector<std::string> names;
  if (const char* chosen = std::getenv("EMBER_MPI"); chosen && *chosen) {
    names = {chosen};
  } else if (set("OMPI_COMM_WORLD_SIZE")) {
    names = {"libmpi.so.40", "libmpi.so.80", "libmpi.so.20", "libmpi.so"};
  } else if (set("PMI_SIZE") || set("MPI_LOCALNRANKS")) {
    names = {"libmpich.so.12", "libmpi.so.12", "libmpich.so", "libmpi.so"};
  } else {
    names = {"libmpi.so.40", "libmpich.so.12", "libmpi.so.12", "libmpi.so"};
  }
  // A library that the process has already loaded (mpi4py's) is used. Its plug-ins need its symbols
  // to be global.
  for (const std::string& n : names) {
    if (void* h = dlopen(n.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD)) return h;
  }
  std::string tried;
  for (const std::string& n : names) {
    if (void* h = dlopen(n.c_str(), RTLD_NOW | RTLD_GLOBAL)) return h;
    const char* why = dlerror();
    tried += "\n  " + std::string(why ? why : n);
  }
  throw EngineError("[distributed] no MPI library was found; set EMBER_MPI to its path. Tried:" +
                    tried);
}

template <class T> void find(void* library, const char* name, T& out) {
  void* p = dlsym(library, name);
  if (!p) throw EngineError("[distributed] the MPI library has no " + std::string(name));
  out = reinterpret_cast<T>(p);
}

// bool, int4, uint4, int8, uint8, int16 ... uint64, float16, bfloat16, float32, float64, complex64,
// complex128. Dtypes that MPI does not have are sent as integers of their size and are not reduced.
constexpr const char* open_mpi_types[] = {
    "uint8_t",  "int8_t",  "uint8_t",  "int8_t",          "uint8_t",         "int16_t",
    "uint16_t", "int32_t", "uint32_t", "int64_t",         "uint64_t",        "uint16_t",
    "uint16_t", "float",   "double",   "c_float_complex", "c_double_complex"};
constexpr const char* open_mpi_ops[] = {"sum", "sum", "max", "min", "prod"};
constexpr Handle mpich_types[] = {0x4c00013b, 0x4c000137, 0x4c00013b, 0x4c000137, 0x4c00013b,
                                  0x4c000238, 0x4c00023c, 0x4c000439, 0x4c00043d, 0x4c00083a,
                                  0x4c00083e, 0x4c00023c, 0x4c00023c, 0x4c00040a, 0x4c00080b,
                                  0x4c000840, 0x4c001041};
constexpr Handle mpich_ops[] = {0x58000003, 0x58000003, 0x58000001, 0x58000002, 0x58000004};

Mpi load() {
  void* library = open_library();
  Mpi m{};
#define FIND(name) find(library, "MPI_" #name, m.name);
  FIND(Init_thread)
  FIND(Initialized)
  FIND(Finalized)
  FIND(Finalize)
  FIND(Abort)
  FIND(Get_library_version)
  FIND(Error_string)
  FIND(Query_thread)
  FIND(Comm_set_errhandler)
  FIND(Comm_rank)
  FIND(Comm_size)
  FIND(Comm_dup)
  FIND(Comm_split)
  FIND(Comm_free)
  FIND(Barrier)
  FIND(Bcast)
  FIND(Allreduce)
  FIND(Allgather)
  FIND(Allgatherv)
  FIND(Reduce_scatter)
  FIND(Alltoall)
  FIND(Isend)
  FIND(Irecv)
  FIND(Test)
#undef FIND
  // MPICH and implementations with its ABI.
  if (dlsym(library, "ompi_mpi_comm_world")) {
    const auto symbol = [&](const std::string& name) {
      Handle h;
      find(library, ("ompi_mpi_" + name).c_str(), h);
      return h;
    };
    m.world = symbol("comm_world");
    m.errors_return = symbol("errors_return");
    m.byte = symbol("byte");
    m.word = symbol("uint64_t");
    for (int i = 0; i < dtype_count; ++i) m.types[i] = symbol(open_mpi_types[i]);
    for (int i = 0; i < 5; ++i) m.ops[i] = symbol("op_" + std::string(open_mpi_ops[i]));
    m.in_place = reinterpret_cast<void*>(1);
    m.ignore_status = nullptr;
  } else {
    m.world = 0x44000000;
    m.errors_return = 0x54000001;
    m.byte = 0x4c00010d;
    m.word = 0x4c00083e;
    std::copy(std::begin(mpich_types), std::end(mpich_types), m.types);
    std::copy(std::begin(mpich_ops), std::end(mpich_ops), m.ops);
    m.in_place = reinterpret_cast<void*>(-1);
    m.ignore_status = reinterpret_cast<void*>(1);
  }
  std::vector<char> text(8193);
  int length = 0;
  m.Get_library_version(text.data(), &length);
  m.version = text.data();
  m.version = m.version.substr(0, m.version.find_first_of(",\n"));
  for (char& c : m.version) {
    if (c == '\t') c = ' ';
  }
  return m;
}

}  // namespace

void Mpi::check(int code, const char* what) const {
  if (code == 0) return;
  std::vector<char> text(1025);
  int length = 0;
  Error_string(code, text.data(), &length);
  throw EngineError("[" + std::string(what) + "] MPI: " + text.data());
}

bool started_by_a_launcher() {
  // Set by srun, but not in a batch script.
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return set("OMPI_COMM_WORLD_SIZE") || set("PMI_SIZE") || set("PMIX_RANK") ||
         set("MPI_LOCALNRANKS") || (tasks && std::atoi(tasks) > 1);
}

const Mpi& open_mpi() {
  static const Mpi mpi = load();
  return mpi;
}

}  // namespace ember::distributed

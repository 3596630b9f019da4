// MPI, opened at run time: the functions that Ember calls, and the handles of the implementation.
#pragma once
#include <cstdint>
#include <string>

#include "ember/distributed.h"
#include "ember/engine.h"

namespace ember::distributed {

// Open MPI's handles are pointers, MPICH's (and Intel's) are ints. Both are passed in a register
// and, written through a pointer into a zeroed word, occupy its low half: one declaration works for
// both on 64-bit little-endian machines.
using Handle = uintptr_t;

struct Mpi {
  int (*Init_thread)(int*, char***, int, int*);
  int (*Initialized)(int*);
  int (*Finalized)(int*);
  int (*Finalize)();
  int (*Abort)(Handle comm, int code);
  int (*Get_library_version)(char*, int*);
  int (*Error_string)(int, char*, int*);
  int (*Query_thread)(int*);
  int (*Comm_set_errhandler)(Handle comm, Handle handler);
  int (*Comm_rank)(Handle comm, int*);
  int (*Comm_size)(Handle comm, int*);
  int (*Comm_dup)(Handle comm, Handle* out);
  int (*Comm_split)(Handle comm, int color, int key, Handle* out);
  int (*Comm_free)(Handle* comm);
  int (*Barrier)(Handle comm);
  int (*Bcast)(void*, int, Handle type, int root, Handle comm);
  int (*Allreduce)(const void*, void*, int, Handle type, Handle op, Handle comm);
  int (*Allgather)(const void*, int, Handle, void*, int, Handle, Handle comm);
  int (*Allgatherv)(const void*, int, Handle, void*, const int* counts, const int* starts, Handle,
                    Handle comm);
  int (*Reduce_scatter)(const void*, void*, const int* counts, Handle type, Handle op, Handle comm);
  int (*Alltoall)(const void*, int, Handle, void*, int, Handle, Handle comm);
  int (*Isend)(const void*, int, Handle type, int to, int tag, Handle comm, Handle* request);
  int (*Irecv)(void*, int, Handle type, int from, int tag, Handle comm, Handle* request);
  int (*Test)(Handle* request, int* flag, void* status);

  Handle world, errors_return, byte, word, types[dtype_count],
      ops[5];  // ops: by Reduce, mean's is sum's
  void *in_place, *ignore_status;
  std::string version;

  void check(int code, const char* what) const;  // EngineError with MPI's message
};

EMBER_API bool started_by_a_launcher();
EMBER_API const Mpi& open_mpi();  // EngineError names the libraries that were tried

}  // namespace ember::distributed

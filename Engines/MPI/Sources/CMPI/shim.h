/* The part of MPI that the exchange needs, as functions: its communicators, types and requests are macros, or of types that differ between implementations. */
#pragma once

/* C alone: the interface for C++ of old versions is not wanted. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

/* Processes that call together. */
typedef struct {
    MPI_Comm comm;
} mpi_group;

/* A call that is under way. */
typedef struct {
    MPI_Request request;
} mpi_call;

/* Begins; threads may call, one at a time. Errors are returned from here on and do not end the process. */
static inline int mpi_begin(void) {
    int provided = 0;
    int code = MPI_Init_thread(0, 0, MPI_THREAD_SERIALIZED, &provided);
    if (code != MPI_SUCCESS) return code;
    if (provided < MPI_THREAD_SERIALIZED) return MPI_ERR_OTHER;
    return MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

/* All processes. */
static inline mpi_group mpi_all(void) {
    mpi_group group = {MPI_COMM_WORLD};
    return group;
}

/* Those that call with the same number, in the order of their ranks. */
static inline int mpi_split(mpi_group group, int number, int rank, mpi_group *part) {
    int code = MPI_Comm_split(group.comm, number, rank, &part->comm);
    if (code != MPI_SUCCESS) return code;
    return MPI_Comm_set_errhandler(part->comm, MPI_ERRORS_RETURN);
}

static inline int mpi_rank(mpi_group group) {
    int rank = 0;
    MPI_Comm_rank(group.comm, &rank);
    return rank;
}

static inline int mpi_ranks(mpi_group group) {
    int ranks = 1;
    MPI_Comm_size(group.comm, &ranks);
    return ranks;
}

enum { mpi_text_bytes = MPI_MAX_PROCESSOR_NAME > MPI_MAX_ERROR_STRING ? MPI_MAX_PROCESSOR_NAME : MPI_MAX_ERROR_STRING };

/* The name of the machine; a text of mpi_text_bytes takes it. */
static inline void mpi_machine(char *text) {
    int length = 0;
    text[0] = 0;
    MPI_Get_processor_name(text, &length);
}

static inline void mpi_error(int code, char *text) {
    int length = 0;
    text[0] = 0;
    MPI_Error_string(code, text, &length);
}

/* Begins to gather so many bytes of every rank on every rank. */
static inline int mpi_gather(mpi_group group, const void *mine, int bytes, void *all, mpi_call *call) {
    return MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, group.comm, &call->request);
}

/* Begins to gather bytes of which every rank has a number of its own. */
static inline int mpi_gather_counted(
    mpi_group group, const void *mine, int bytes, void *all, const int *counts, const int *places, mpi_call *call) {
    return MPI_Iallgatherv(mine, bytes, MPI_BYTE, all, counts, places, MPI_BYTE, group.comm, &call->request);
}

/* Looks whether a call is over. */
static inline int mpi_is_over(mpi_call *call, int *is_over) { return MPI_Test(&call->request, is_over, MPI_STATUS_IGNORE); }

/* Tells a rank that this one waits. Nobody asks whether it has heard: the process ends soon. */
static inline int mpi_tell(mpi_group group, int rank, const char *byte, mpi_call *call) {
    return MPI_Isend(byte, 1, MPI_CHAR, rank, 1, group.comm, &call->request);
}

/* Looks whether a rank has told that it waits. */
static inline int mpi_hears(mpi_group group, int rank, int *is_heard) {
    return MPI_Iprobe(rank, 1, group.comm, is_heard, MPI_STATUS_IGNORE);
}

static inline int mpi_end(void) { return MPI_Finalize(); }

/* Ends all ranks. */
static inline void mpi_abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

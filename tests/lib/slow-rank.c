/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into all ranks: what they tell each other of their tasks is what they did, but not how
 * long it took. By that they are as fast as each other, until rank 1 becomes twenty times slower;
 * so it does not matter how busy the machine is. */
#include "config.h"

#include "tasks/ranks/measured.h"

#ifdef HAVE_MPI
# include <mpi.h>

#define EXCHANGES 3  /* before that */
#define PRICE 1e-6   /* s a unit of work */
#define SLOWER 20
#define ROUND 10     /* s since the last exchange: the next one follows at once */

static void
make_up (ArmillaMeasured *own, int rank)
{
  static int exchanges;
  const double price = rank == 1 && exchanges >= EXCHANGES ? SLOWER * PRICE : PRICE;

  exchanges++;
  for (int k = 0; k < ARMILLA_MEASURED_KINDS; k++)
    for (int c = 0; c < ARMILLA_MEASURED_CODELETS; c++)
      own->busy[k][c] = price * own->work[k][c];
  own->share = own->talk = 0;
  own->seconds = ROUND;
}

int
MPI_Iallgather (const void *from, int n_from, MPI_Datatype from_type, void *to, int n_to,
                MPI_Datatype to_type, MPI_Comm comm, MPI_Request *request)
{
  int rank;

  if (from == MPI_IN_PLACE && n_to == (int) sizeof (ArmillaMeasured)
      && MPI_Comm_rank (comm, &rank) == MPI_SUCCESS)
    make_up ((ArmillaMeasured *) to + rank, rank);
  return PMPI_Iallgather (from, n_from, from_type, to, n_to, to_type, comm, request);
}
#endif

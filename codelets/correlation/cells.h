/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects on the sphere, or anywhere in space, sorted into cells: a tree of balls whose leaves are
 * runs of 16 slots. Kernels read two arrays of 64-bit words, points and nodes, without pointers. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Slots per leaf. Empty slots have NaN coordinates, which compare as false. */
#define ARMILLA_LEAF 16
/* Children of a node. */
#define ARMILLA_CHILDREN 8
/* |integer weights| are at most 2^ARMILLA_WEIGHT_BITS, so that the sum over a leaf fits 64 bits */
#define ARMILLA_WEIGHT_BITS 57

/* Rows of the points: [row][slot]. A catalogue has the first ARMILLA_ROWS_* of them. Rows of the
 * shear: cosine and sine of the longitude, the distance from the axis, and weight times shear. */
enum {
  ARMILLA_POINT_X,
  ARMILLA_POINT_Y,
  ARMILLA_POINT_Z,
  ARMILLA_POINT_WEIGHT, /* int64 */
  ARMILLA_POINT_MASS,   /* the weight as a double */
  ARMILLA_POINT_COS,
  ARMILLA_POINT_SIN,
  ARMILLA_POINT_AXIS,
  ARMILLA_POINT_G1,
  ARMILLA_POINT_G2
};

#define ARMILLA_ROWS_POSITION 3
#define ARMILLA_ROWS_WEIGHT 4
#define ARMILLA_ROWS_MASS 5
#define ARMILLA_ROWS_SHEAR 10

/* Rows of the nodes: [row][node]. All objects of a node are within the radius of its centre. The
 * first four are double, the others int64. The sum of the weights has 128 bits. */
enum {
  ARMILLA_NODE_X,
  ARMILLA_NODE_Y,
  ARMILLA_NODE_Z,
  ARMILLA_NODE_RADIUS,
  ARMILLA_NODE_COUNT,     /* objects */
  ARMILLA_NODE_SLOT,      /* first slot; the slots of a node are contiguous */
  ARMILLA_NODE_SLOTS,     /* number of slots, a multiple of ARMILLA_LEAF */
  ARMILLA_NODE_CHILD,     /* first child; the children are contiguous */
  ARMILLA_NODE_N_CHILDREN, /* 0: a leaf */
  ARMILLA_NODE_PATCH,
  ARMILLA_NODE_WEIGHT_LOW,
  ARMILLA_NODE_WEIGHT_HIGH,
  ARMILLA_NODE_ROWS
};

typedef struct {
  int64_t n;                     /* number of objects */
  int64_t n_slots;               /* number of slots, a multiple of %ARMILLA_LEAF */
  int64_t n_rows;                /* rows of the points: one of ARMILLA_ROWS_* */
  int64_t n_nodes;               /* number of nodes */
  int64_t node_stride; /* words per row of the nodes; those after the last node are NaN and 0 */
  int64_t n_roots; /* number of roots, one per patch with objects; they are the last nodes */
  int64_t weight_exponent;       /* weights are integers in units of 2 to this power */
  double mass;                   /* maximum of |weight|, 1 without weights */
  double shear;                  /* maximum weight times shear, 0 without shears */
  double slack; /* radii are enlarged by this: more than the rounding errors of distances */
  double *points;                /* [n_rows][n_slots] */
  double *nodes;                 /* [ARMILLA_NODE_ROWS][node_stride] */
  struct ArmillaCellsPlan *plan; /* position of each object */
} ArmillaCells;

typedef struct {
  int64_t n;                                /* number of objects */
  const double *x; /* (array length=n): positions, component by component */
  const double *y;                          /* (array length=n): likewise */
  const double *z;                          /* (array length=n): likewise */
  const double *weight; /* (array length=n): weights of any sign; NULL: all are 1 */
  const double *g1; /* (array length=n): shears in the basis of ArmillaCatalogue; may be NULL */
  const double *g2;                         /* (array length=n): likewise; may be NULL */
  const int32_t *patch;                     /* (array length=n): number of the patch; may be NULL */
  int32_t n_patches;                        /* number of patches, at least 1 with patch */
  /* the positions are in the cube with this corner and side; side 0: they are unit vectors */
  double corner[3];
  double side;
  int32_t n_rows;                           /* rows to fill, ARMILLA_ROWS_* */
  int32_t isa; /* ArmillaIsa of this machine; the result does not depend on it */
  /* allocates memory as large as a catalogue, or returns NULL; default: the C library's */
  void *(*allocate) (int64_t size);
  void (*release) (void *at, int64_t size); /* frees memory from allocate; may be NULL */
} ArmillaCellsInput;

/* Computes all sizes of the cells. @input must remain valid until the cells are filled. */
ArmillaCells *armilla_cells_new (const ArmillaCellsInput *input);
/* points: n_rows n_slots words, nodes: ARMILLA_NODE_ROWS node_stride words, owned by the caller.
 * Returns 0 if out of memory. */
int armilla_cells_fill (ArmillaCells *cells, double *points, double *nodes, int n_threads);
void armilla_cells_free (ArmillaCells *cells);

#ifdef __cplusplus
}
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/arrays/array-copy.h"

#include "codelets/arrays/array-copy-math.h"
#include "codelets/fields/each.cuh"

static __global__ void
read_kernel (ArmillaArrayRow row, int64_t first, int64_t n, double *to)
{
  FOR_EACH (i, n)
  armilla_array_read_number (&row, first + i, to + i * row.n_reals);
}

static __global__ void
clear_imaginary_kernel (int64_t n, double *numbers)
{
  FOR_EACH (i, n)
  numbers[2 * i + 1] = 0;
}

/* Copies rows whose layout is that of a tile. */
static cudaError_t
read_whole (const ArmillaArrayRow *row, int64_t first, int64_t n, double *to, cudaStream_t stream)
{
  const int64_t n_zonal = armilla_array_zonal_numbers (row, first, n);
  const cudaError_t status
    = cudaMemcpyAsync (to, row->data + first * row->stride,
                       sizeof (double) * (size_t) (n * row->n_reals), cudaMemcpyDeviceToDevice,
                       stream);

  if (status != cudaSuccess || n_zonal == 0)
    return status;
  clear_imaginary_kernel<<<blocks_for (n_zonal), THREADS, 0, stream>>> (n_zonal, to);
  return cudaGetLastError ();
}

static __global__ void
write_kernel (ArmillaArrayRow row, int64_t first, int64_t n, const double *from)
{
  FOR_EACH (i, n)
  armilla_array_write_number (&row, first + i, from + i * row.n_reals, 1);
}

int
armilla_array_read_launch (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first, int64_t n,
                           double *tile, cudaStream_t stream)
{
  cudaError_t status = cudaSuccess;

  for (int64_t f = 0; n > 0 && status == cudaSuccess && f < n_rows; f++)
    {
      const ArmillaArrayRow *row = &rows[f];
      double *to = tile + f * n * row->n_reals;
      const size_t size = sizeof (double) * (size_t) (n * row->n_reals);

      if (!row->data)
        status = cudaMemsetAsync (to, 0, size, stream);
      else if (armilla_array_row_is_whole (row))
        status = read_whole (row, first, n, to, stream);
      else
        {
          read_kernel<<<blocks_for (n), THREADS, 0, stream>>> (*row, first, n, to);
          status = cudaGetLastError ();
        }
    }
  return status;
}

int
armilla_array_write_launch (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first, int64_t n,
                            const double *tile, cudaStream_t stream)
{
  cudaError_t status = cudaSuccess;

  for (int64_t f = 0; n > 0 && status == cudaSuccess && f < n_rows; f++)
    {
      const ArmillaArrayRow *row = &rows[f];
      const double *from = tile + f * n * row->n_reals;

      if (row->data && armilla_array_row_is_whole (row))
        status = cudaMemcpyAsync (row->data + first * row->stride, from,
                                  sizeof (double) * (size_t) (n * row->n_reals),
                                  cudaMemcpyDeviceToDevice, stream);
      else if (row->data)
        {
          write_kernel<<<blocks_for (n), THREADS, 0, stream>>> (*row, first, n, from);
          status = cudaGetLastError ();
        }
    }
  return status;
}

/* The grid has one row of thread blocks per ring: the rings of a tile have similar lengths. */
#define RING_BLOCKS 4

static dim3
ring_blocks (int64_t n_slots)
{
  return dim3 ((unsigned) n_slots, RING_BLOCKS);
}

#define FOR_EACH_OF_RING(j, n)                                                                     \
 for (int64_t j = (int64_t) blockIdx.y * THREADS + threadIdx.x; j < (n);                           \
      j += (int64_t) RING_BLOCKS * THREADS)

static __global__ void
read_rings_kernel (ArmillaArrayRow row, const ArmillaRingSlot *slots, const int64_t *first_pixel,
                   double *tile)
{
  const ArmillaRingSlot slot = slots[blockIdx.x];
  const int64_t first = first_pixel[blockIdx.x];

  FOR_EACH_OF_RING (j, slot.n_phi)
  armilla_array_read_number (&row, first + j, tile + slot.offset + j);
}

/* Copies rows whose layout is that of a tile: limited by memory bandwidth. */
static __global__ void
read_whole_rings_kernel (const double *__restrict__ row, const ArmillaRingSlot *slots,
                         const int64_t *first_pixel, double *__restrict__ tile)
{
  const ArmillaRingSlot slot = slots[blockIdx.x];
  const int64_t first = first_pixel[blockIdx.x];

#pragma unroll 4
  FOR_EACH_OF_RING (j, slot.n_phi)
  tile[slot.offset + j] = row[first + j];
}

static __global__ void
write_rings_kernel (ArmillaArrayRow row, int weighted, const ArmillaRingSlot *slots,
                    const int64_t *first_pixel, const double *tile)
{
  const ArmillaRingSlot slot = slots[blockIdx.x];
  const int64_t first = first_pixel[blockIdx.x];

  FOR_EACH_OF_RING (j, slot.n_phi)
  armilla_array_write_number (&row, first + j, tile + slot.offset + j,
                              weighted ? slot.weight : 1);
}

static __global__ void
write_whole_rings_kernel (double *__restrict__ row, const ArmillaRingSlot *slots,
                          const int64_t *first_pixel, const double *__restrict__ tile)
{
  const ArmillaRingSlot slot = slots[blockIdx.x];
  const int64_t first = first_pixel[blockIdx.x];

#pragma unroll 4
  FOR_EACH_OF_RING (j, slot.n_phi)
  row[first + j] = tile[slot.offset + j];
}

int
armilla_array_read_rings_launch (const ArmillaArrayRow *rows, int64_t n_rows, int64_t n_slots,
                                 int64_t n_pixels, const ArmillaRingSlot *slots,
                                 const int64_t *first_pixel, double *tile, cudaStream_t stream)
{
  cudaError_t status = cudaSuccess;

  for (int64_t f = 0; n_pixels > 0 && status == cudaSuccess && f < n_rows; f++)
    if (rows[f].data && armilla_array_row_is_whole (&rows[f]))
      {
        read_whole_rings_kernel<<<ring_blocks (n_slots), THREADS, 0, stream>>> (
          (const double *) rows[f].data, slots, first_pixel, tile + f * n_pixels);
        status = cudaGetLastError ();
      }
    else if (rows[f].data)
      {
        read_rings_kernel<<<ring_blocks (n_slots), THREADS, 0, stream>>> (
          rows[f], slots, first_pixel, tile + f * n_pixels);
        status = cudaGetLastError ();
      }
    else
      status = cudaMemsetAsync (tile + f * n_pixels, 0, sizeof (double) * (size_t) n_pixels,
                                stream);
  return status;
}

int
armilla_array_write_rings_launch (const ArmillaArrayRow *rows, int64_t n_rows, int64_t n_slots,
                                  int64_t n_pixels, int weighted, const ArmillaRingSlot *slots,
                                  const int64_t *first_pixel, const double *tile,
                                  cudaStream_t stream)
{
  cudaError_t status = cudaSuccess;

  for (int64_t f = 0; n_pixels > 0 && status == cudaSuccess && f < n_rows; f++)
    if (rows[f].data && !weighted && armilla_array_row_is_whole (&rows[f]))
      {
        write_whole_rings_kernel<<<ring_blocks (n_slots), THREADS, 0, stream>>> (
          (double *) rows[f].data, slots, first_pixel, tile + f * n_pixels);
        status = cudaGetLastError ();
      }
    else if (rows[f].data)
      {
        write_rings_kernel<<<ring_blocks (n_slots), THREADS, 0, stream>>> (
          rows[f], weighted, slots, first_pixel, tile + f * n_pixels);
        status = cudaGetLastError ();
      }
  return status;
}

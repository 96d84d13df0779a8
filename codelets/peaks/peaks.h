/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the hardware reaches in loops that do nothing else: the yardstick for kernels. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaPeaks:
 * @core_flops: double-precision operations a second of one core (a fused multiply-add counts two),
 *   with the instruction set of the kernels
 * @core_bytes: bytes a second, read plus written, of one core that copies memory
 * @gpu_flops: the same of one GPU, without its tensor cores; 0 without a GPU
 * @gpu_bytes: the same of a copy within the memory of one GPU; 0 without a GPU
 *
 * Measured when asked for; what another process takes meanwhile is missing.
 */
typedef struct {
  double core_flops, core_bytes;
  double gpu_flops, gpu_bytes;
} ArmillaPeaks;

void armilla_peaks_measure_core (ArmillaPeaks *peaks);
int armilla_peaks_measure_gpu (ArmillaPeaks *peaks, int device); /* in builds with CUDA only */

#ifdef __cplusplus
}
#endif

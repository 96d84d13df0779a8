/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured peak rates of the hardware, to which kernels are compared. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Peak rates. Other processes that run during the measurement lower them. */
typedef struct {
  /* double-precision operations per second of one core with the kernels' instruction set; a fused
   * multiply-add counts as two */
  double core_flops;
  double core_bytes; /* bytes per second, read plus written, of one core copying memory */
  double gpu_flops;  /* double-precision operations per second of one GPU, without its tensor cores;
                      * 0 without a GPU */
  double gpu_bytes;  /* bytes per second, read plus written, of a copy within the memory of one GPU;
                      * 0 without a GPU */
} ArmillaPeaks;

void armilla_peaks_measure_core (ArmillaPeaks *peaks);
int armilla_peaks_measure_gpu (ArmillaPeaks *peaks, int device); /* Measures the peak rates of a
                                                                  * GPU. In builds with CUDA
                                                                  * only. */

#ifdef __cplusplus
}
#endif

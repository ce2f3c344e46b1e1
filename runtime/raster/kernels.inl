// The raster core's texts, in order. A kernels_ISA.c includes its lanes, then this, and exports its table.
#include <math.h>
#include <stddef.h>
#include "raster/kernels.h"
#include "raster/vertices.inl"
#include "raster/triangle.inl"
#include "raster/setup.inl"
#include "raster/raster.inl"

// Includes every public header.
#pragma once
#include "ember/backend.h"
#include "ember/dlpack.h"
#include "ember/grad.h"
#include "ember/io.h"
#include "ember/memory.h"
#include "ember/ops.h"
#include "ember/print.h"
#include "ember/program.h"
#include "ember/tensor.h"

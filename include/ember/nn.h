// Neural networks: modules, layers, initializers.
#pragma once
#include "ember/nn/activations.h"
#include "ember/nn/conv.h"
#include "ember/nn/init.h"
#include "ember/nn/layers.h"
#include "ember/nn/liquid.h"
#include "ember/nn/mixing.h"
#include "ember/nn/module.h"
#include "ember/nn/norm.h"
#include "ember/nn/optim.h"
#include "ember/nn/recurrent.h"
#include "ember/nn/transformer.h"

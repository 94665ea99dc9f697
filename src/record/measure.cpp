#include "hawser/model.h"

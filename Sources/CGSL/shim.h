// The parts of the GNU Scientific Library that Stochastics reads: distribution functions, their inverses, and the error handler.
// Swift calls every one of them directly, so no accessor stands here. One is added only for what Swift cannot call, with its reason beside it.
#ifndef RELOADSIM_CGSL_SHIM_H
#define RELOADSIM_CGSL_SHIM_H

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>

#endif

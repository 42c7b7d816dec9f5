// The parts of the GNU Scientific Library that Stochastics reads: distribution functions, their inverses, special functions, minimisers, linear algebra,
// quasi-random sequences, and the error handler. Swift calls nearly all of them directly; an accessor stands here only for what it cannot, with its reason beside it.
#ifndef RELOADSIM_CGSL_SHIM_H
#define RELOADSIM_CGSL_SHIM_H

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_sf_erf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_version.h>

// A global variable in C: Swift 6 takes it for shared mutable state and refuses it.
static inline const gsl_multimin_fminimizer_type *cgsl_nelder_mead(void) { return gsl_multimin_fminimizer_nmsimplex2; }

// The same.
static inline const gsl_qrng_type *cgsl_sobol(void) { return gsl_qrng_sobol; }

#endif

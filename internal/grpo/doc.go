// Package grpo is the arithmetic of group-relative policy optimisation (GRPO, Shao
// et al. 2024) as WebGen-R1, AesCoder and ReLook publish it: advantages, clipped
// objectives, the distillation loss, and figures that say whether a group of
// outputs teaches anything. It is pure and knows nothing of models.
//
// Trainers compute all this themselves. It is here for reports, for the status page
// and as a reference to check a trainer against.
//
// # Rewards that are not there
//
// A reward that is nil, or no finite number, is of an output that could not be
// judged. It counts in no mean and no spread, and its advantage is 0. Leave such
// outputs out of an [Objective], or their tokens count in its denominators.
//
// # What was decided where the papers are silent
//
// The standard deviation is that of WebGen-R1 Eq. 11, over all G rewards (divided by
// G, not G − 1). AesCoder and ReLook only write std. Rewards that differ by no more
// than rounding does are equal: the advantage is then 0, and not the noise divided
// by itself.
//
// ReLook standardises "within-batch". This is taken over the trajectories that
// have a reward, each counted once however long it is.
//
// D_KL is written without an estimator in all three. It is the one of GRPO, which
// all three cite: π_ref/π − ln(π_ref/π) − 1 for each token, often called k3; it is
// never negative. It is taken on tokens of the policy only (ReLook App. G).
//
// How AesCoder averages tokens is not known: its Eq. 3 cannot be read in the copy that
// this was written from. [AesCoder] has the mean of GRPO as Shao et al. wrote it, which
// is that of WebGen-R1.
package grpo

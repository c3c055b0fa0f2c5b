// Package refine is the generate–diagnose–refine loop of ReLook (§2.3 to 2.7) as a
// state machine: a policy writes a site, a critic looks at it and says what to mend,
// the policy writes again. The package renders nothing and calls no model: a
// [Session] takes outputs with what was found out about them and says what comes
// next. [Run] drives one to its end with a [Policy] and a [Critic].
//
// # Words
//
//	turn      one output of the policy, from 1; also one that is rejected
//	round     the place an accepted output takes in the trajectory, from 1
//	resample  another output for the round of one that was rejected
//	best      the accepted output with the highest score: the last accepted, but where
//	          every output is accepted
//
// # One turn
//
//  1. The output is rendered and scored, whether it asks for feedback or not. An
//     invalid render has the score 0 (or less, if the recipe gives less), and the
//     reason as its critique.
//  2. Forced Optimization (§2.6): it is accepted if it is the first, or if its score
//     is more than the best so far plus epsilon. Equal is not enough. With Accept any,
//     every output is accepted.
//  3. After a rejected one, the policy writes another for the same round (action
//     "resample"), at most MaxResamples times; or the loop ends, if OnReject is stop. It
//     makes no difference whether it asked for feedback (Alg. 1).
//  4. An accepted output that does not ask for feedback ends the loop, unless Ask is
//     always. After one that does, the critique goes back to the policy (action
//     "revise"), unless this was the last round.
//     Whatever ends the loop, the best is its result.
//
// An output that could not be judged is no turn: the caller does not pass it to Step.
//
// # What was decided where the paper is silent
//
// K: Algorithm 1 counts the first attempt of a round among its K = 10, §2.6
// counts resampling attempts. Here K is of resamples: a round has at most K + 1 attempts,
// and MaxResamples 9 is Algorithm 1.
//
// The reward of a trajectory is one of two rules, see [Reward].
//
// An output asks for feedback if it holds the trigger anywhere outside its
// <think> reasoning, where models talk about what they may do.
package refine

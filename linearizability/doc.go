// Package linearizability decides whether a history of a concurrent object is linearizable: whether there
// is an order of the operations, in agreement with real time, in which a sequential object gives the same
// answers. The package contains no object. A Spec describes the sequential object by a few functions over
// requests, results and states of the caller's own types. Package mapmodel is the Spec of a map.
//
// To judge an object of your own:
//
//  1. Give requests and results a type each that is comparable and has the method Append of
//     history.Value, which writes the value as text. Requests may also have the methods of
//     history.Validator, which refuse what no client can ask and what cannot answer it.
//  2. Record what the clients do with a history.Recorder, or a history.Concurrent.
//  3. Choose a comparable type of states, and write the Spec: Init is the state before the first
//     operation. Step says whether a state allows a result for a request, and which state follows.
//     Pending says what a request of a killed client may have done. Key makes long histories possible
//     if the object is made of independent parts, and ReadOnly makes the evidence shorter.
//  4. Check(spec.Model(), history, timeout) is the verdict; a Judge is for many histories.
//  5. Test the Spec: CheckByPorcupine and CheckByWalk must agree on legal and on illegal histories.
//
// The example queue shows these steps.
//
// Porcupine does the search; this package adds what porcupine leaves to its callers. A history is
// validated first, because porcupine answers "illegal" for a malformed one. Operations of killed clients
// may or may not have happened. Memory is bounded as well as time. If porcupine cannot decide a history
// within these bounds, such as a long one of many clients on one key, a second search does. It must agree
// with porcupine wherever both decide. A history that could not be judged is Unknown, and Unknown is a
// failure.
package linearizability

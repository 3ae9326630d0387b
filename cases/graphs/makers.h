// What fills in the graphs of the table: each takes the nodes from the graph's name, and
// how they are asked from the plan of the generator (question.h).
#ifndef QCONFORM_CASES_GRAPHS_MAKERS_H_
#define QCONFORM_CASES_GRAPHS_MAKERS_H_

namespace qconform::generators {

class GraphQuestion;

void MakeRoundTrip(GraphQuestion& question);       // round_trip.cc
void MakeRequantization(GraphQuestion& question);  // round_trip.cc
void MakeTwoReaders(GraphQuestion& question);      // round_trip.cc
void MakeTwoPairs(GraphQuestion& question);        // round_trip.cc
void MakeMover(GraphQuestion& question);           // movers.cc
void MakeChooser(GraphQuestion& question);         // choosers.cc
void MakeArithmetic(GraphQuestion& question);      // arithmetic.cc
void MakeMatMul(GraphQuestion& question);          // sums.cc
void MakeGemm(GraphQuestion& question);            // sums.cc
void MakeConv(GraphQuestion& question);            // sums.cc
void MakeMean(GraphQuestion& question);            // sums.cc
void MakeWeightsAlone(GraphQuestion& question);    // weights.cc
void MakeDynamic(GraphQuestion& question);         // dynamic.cc

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_GRAPHS_MAKERS_H_

"""Evaluate decoders against a gold: tree F1, word F1, exact match, compression rate, best of k, tree ceiling.

- **tree F1**: edges of the output's subtree against edges of the gold's, in the transformed tree, root edge included,
  unlabelled, mean over sentences. The gold's subtree is the one whose words are closest to the gold's
  (`native/gold.hpp`).
- **word F1**: printed words against the gold's words, as lower-cased multisets without punctuation, mean over
  sentences. By types, each different word counts once.
- **exact**: share of sentences whose printed words are the gold's, in order.
- **rate**: characters of the printed compression / characters of the sentence, mean over sentences (macro), or over all
  sentences together (micro).
- **best of k**: the highest word F1 (tree F1) among the k results of a sentence, mean over sentences.
- **ceiling**: word F1 of the gold's subtree, about the maximum for any decoder; **connected**: share of golds that are
  exactly the words of one subtree.

A sentence for which a method finds nothing (with `max_chars`) scores 0.
"""

from laconic.evaluate.comparison import Outputs, Scores, compare_with_gold
from laconic.evaluate.evaluate import Evaluation, evaluate
from laconic.evaluate.gold_subtrees import Gold

__all__ = ["Evaluation", "Gold", "Outputs", "Scores", "compare_with_gold", "evaluate"]

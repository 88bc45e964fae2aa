/* What `graze verify` says about itself; graze-verify reads its command line by the same table. */
#include "verify.h"

static const cli_option options[] = {
    {"json", 0, NULL, "one JSON object for each answer, with its verdict, then one with the counts"},
};

const cli_verb cli_verify_verb = {
    "verify",
    "QUESTIONS ANSWERS",
    "Checks the n-th answer of ANSWERS against the n-th question of QUESTIONS: does its\n"
    "certificate prove the relation, exactly, and does the stated interval follow from it?\n"
    "This is done by graze-verify, a program that contains no solver.",
    "Either file may be -, standard input. Prints how many answers are\n"
    "   verified   proved by their certificates\n"
    "   unproven   without what would prove them, for instance without a certificate,\n"
    "              or, asked without \"proof\":true, the depth of hulls, compounds that\n"
    "              do not overlap, and bodies that turn\n"
    "   refused    wrong; each is named on standard error, with the reason\n"
    "   errors     error lines, which claim nothing\n"
    "\n"
    "exit status:\n"
    "   0  no answer is refused\n"
    "   1  some answers are refused\n"
    "   2  usage error, a file that cannot be read, or not as many answers as questions\n"
    "\n"
    "example:\n"
    "   graze query questions.jsonl > answers.jsonl\n"
    "   graze verify questions.jsonl answers.jsonl\n",
    options,
    sizeof options / sizeof *options,
};

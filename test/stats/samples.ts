/** Hours of sleep gained under two drugs by ten patients: A. R. Cushny and A. R. Peebles (1905), used by Student (1908). */
export const sleep = {
  first: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
  second: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
};

/** Differences in height of fifteen pairs of maize plants: C. Darwin (1876), used by R. A. Fisher (1935), 21. */
export const maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

/** Scores of two arms on fifteen seeds, with values from R 4.2.2 in the tests that use them. */
export const pairs15 = {
  control: [
    0.6456, 0.6083, 0.6546, 0.701, 0.6968, 0.5319, 0.5562, 0.5666, 0.648, 0.4904, 0.5673, 0.8256, 0.6694,
    0.6489, 0.7212,
  ],
  treatment: [
    0.6901, 0.6579, 0.6443, 0.74, 0.7346, 0.6016, 0.5704, 0.5306, 0.6549, 0.525, 0.5683, 0.8053, 0.7036,
    0.6428, 0.7696,
  ],
};

/** Samples with ties and zero differences. */
export const tied = {
  x: [1, 2, 2, 3, 5, 5, 5, 8, 9, 9, 10, 12],
  y: [1, 1, 2, 4, 4, 5, 6, 6, 7, 9, 9, 9],
};

/** The label of a run whose result may not be what it seems: in which ways, with commas between. */
export const SUSPECT = "suspect";

/** The density of the standard normal at z. */
export function normalDensity(z: number): number {
  return 0.3989422804014327 * Math.exp(-0.5 * z * z);
}

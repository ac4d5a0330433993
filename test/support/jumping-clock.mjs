// Preloaded: the wall clock jumps an hour ahead and back, at looks that no pattern foretells.
const real = Date.now;
let state = 1;
Date.now = () => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return real() + (state > 2 ** 30 ? 3_600_000 : 0);
};

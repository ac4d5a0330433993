import type { World } from "../world/world.ts";
import { DenseViews } from "./dense-views.ts";
import type { Fields } from "./fields.ts";
import { HybridViews } from "./hybrid-views.ts";
import type { StorageMode, ViewOptions, Views } from "./view.ts";

export function makeViews(mode: StorageMode, world: World, fields: Fields, options: ViewOptions): Views {
  return mode === "dense" ? new DenseViews(world, fields, options) : new HybridViews(world, fields, options);
}

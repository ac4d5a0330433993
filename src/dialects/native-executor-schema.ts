import * as z from "zod";

const text = z.string().min(1);

/** What a study says to the executor `queue`; its address is given on the command line or by the environment. */
export const queueSchema = z
  .strictObject({
    needs: z
      .strictObject({
        cores: z.int().positive().optional(),
        memoryMb: z.int().positive().optional(),
        labels: z.array(text).optional(),
      })
      .optional()
      .describe("What a worker must have to take a run of this study."),
    priority: z.int().min(0).max(1000).optional().describe("Higher goes first. Default: 0."),
    limits: z
      .array(
        z.strictObject({
          label: text,
          concurrent: z.int().positive().optional(),
          perMinute: z.number().positive().optional(),
        }),
      )
      .optional()
      .describe("Fleet-wide bounds on runs with this label, such as a model provider's name."),
    mostDeaths: z
      .int()
      .positive()
      .optional()
      .describe("A run that killed this many workers is parked and reported. Default: 3."),
    files: text
      .optional()
      .describe("How files of runs come back: queue (small ones), a shared folder, s3://bucket/prefix."),
  })
  .describe("For executor kind queue.");

/** What a study says to the executor `slurm`. */
export const slurmSchema = z
  .strictObject({
    partition: text.optional(),
    account: text.optional(),
    qos: text.optional(),
    time: text.optional().describe("Longest time of one array task, as Slurm writes it: 30, 2:00:00, 1-12."),
    memory: text.optional().describe("Of one array task, such as 4G."),
    cpus: z.int().positive().optional().describe("Of one array task. Default: 1."),
    gres: text.optional().describe("Such as gpu:1."),
    concurrent: z.int().positive().optional().describe("Array tasks at the same time (--array=...%N)."),
    pack: z.int().positive().optional().describe("Runs that one array task does one after the other."),
    extra: z.array(text).optional().describe("More arguments for sbatch."),
  })
  .describe("For executor kind slurm.");

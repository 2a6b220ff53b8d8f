/**
 * Node's flags for a service that a test starts. Without the optimizing compiler for the embedded database, a start and
 * a stop take two thirds of the processor time and a third of the memory; it pays off only after minutes. Benchmarks
 * start the service as it is shipped.
 */
export const nodeFlags = process.env.VITEST ? ['--liftoff-only'] : []

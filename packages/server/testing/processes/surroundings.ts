/**
 * The environment variables that a test passes to a program: the paths of programs, and the clock if `faketime` moves
 * it. Without them, a test and its service would have different dates.
 */
export const surroundings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && /^(PATH|LD_PRELOAD|DYLD_INSERT_LIBRARIES|FAKETIME.*)$/.test(entry[0]),
    ),
  )

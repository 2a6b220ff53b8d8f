/**
 * What a program that a test starts gets of the environment of the tests: where programs are, and the clock if
 * `faketime` moves it. Otherwise, a test and its service would live on different days.
 */
export const surroundings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && /^(PATH|LD_PRELOAD|DYLD_INSERT_LIBRARIES|FAKETIME.*)$/.test(entry[0]),
    ),
  )

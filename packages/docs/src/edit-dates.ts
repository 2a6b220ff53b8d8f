const date = /^\d{4}-\d\d-\d\d$/

/**
 * The date of each file's last commit.
 *
 * @param log `git log --format=%cs --name-only`, newest first
 * @param isShallow output of `git rev-parse --is-shallow-repository`. A shallow history dates all older files to its
 * first commit, so the result is empty.
 */
export function editDates(log: string, isShallow: string): Map<string, string> {
  const dates = new Map<string, string>()
  if (isShallow.trim() !== 'false') return dates
  let current = ''
  for (const line of log.split('\n'))
    if (date.test(line)) current = line
    else if (line !== '' && !dates.has(line)) dates.set(line, current)
  return dates
}

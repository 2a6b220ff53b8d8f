const date = /^\d{4}-\d\d-\d\d$/

/**
 * The date of each file's last commit.
 *
 * @param log `git log --format=%cs --name-only`, newest first
 * @param isShallow `git rev-parse --is-shallow-repository`: a history that is cut off says of all older files that they
 * came with its first commit, so it says nothing
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

import { execFileSync } from 'node:child_process'

// Lists of commits cut long subjects off: git log --oneline, pagers, mail.
const maxSubjectColumns = 72
/** The last commit before this rule. */
const ruledSince = '94793c5b4cfd7246caf0fe4c7dcb5a158be7654f'

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' })
const subjects = git('log', '--no-merges', '--format=%h %s', `${ruledSince}..HEAD`).trim().split('\n')
const tooLong = subjects.filter((line) => [...line.slice(line.indexOf(' ') + 1)].length > maxSubjectColumns)
for (const line of tooLong) process.stderr.write(`The subject has more than ${maxSubjectColumns} columns: ${line}\n`)
if (tooLong.length > 0) process.exit(1)

import type { Data } from '@svc/client'
import { jsonIn } from '../files/user-files.ts'
import { Problem } from '../problem.ts'
import { type Session, shownPath } from '../session.ts'
import { plain } from '../terminal/terminal.ts'

type Visitors = { targetingKey: string }[] | 'GENERATE'

/** Who a publish would move. */
export type Preview = Data<'/api/v1/projects/{projectId}/environments/{envId}/staged/preview', 'post'>

/** What a file of visitors is like, for the help of options. */
export const visitorsForm = 'One id in each line, or a JSON list of contexts. "generate" makes up 1,000 of them.'

/** The visitors in a file. */
export async function visitorsFrom(session: Pick<Session, 'readText'>, path: string): Promise<Visitors> {
  if (path === 'generate') return 'GENERATE'
  const text = await session.readText(path)
  if (!text.trimStart().startsWith('[')) {
    const ids = text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
    if (ids.length === 0) throw new Problem('file_invalid', `${shownPath(path)} contains no visitors.`)
    return ids.map((targetingKey) => ({ targetingKey }))
  }
  return jsonIn(text, shownPath(path)) as Visitors
}

/** A preview as lines for people. */
export function previewLines({ changed, visitors, flags }: Preview): string[] {
  return [
    `${changed} of ${visitors} ${visitors === 1 ? 'visitor' : 'visitors'} would get a different value.`,
    ...flags.flatMap(({ key, moves }) =>
      moves.map((move) => {
        const { from, to, visitors: moved, examples } = move
        return plain(`${key}: ${moved} from ${from ?? 'nothing'} to ${to ?? 'nothing'}, such as ${examples.join(', ')}`)
      }),
    ),
  ]
}

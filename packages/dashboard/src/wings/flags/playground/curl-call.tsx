import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { type Call, curlOf } from './curl.ts'

interface CurlCallProps extends Omit<Call, 'base'> {
  summary: string
  /** What the copy button copies. */
  label: string
}

/** The call of a page, folded, for people who want to do the same in a shell. */
export function CurlCall({ summary, label, ...call }: CurlCallProps) {
  const code = curlOf({ base: location.origin, ...call })
  return (
    <Disclosure summary={summary}>
      <CodeSnippet label={label} snippets={[{ language: 'curl', code }]} />
    </Disclosure>
  )
}

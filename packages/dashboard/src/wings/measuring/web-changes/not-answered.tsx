import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'

/** What to do if no page has used the session of the editor. */
export const NotAnswered = ({ host, tag }: { host: string; tag: string }) => (
  <Notice tone="warning" title="The page has not answered" says="politely">
    <p>
      No script of this environment runs on {host}, or the browser has not opened the tab. Add the tag as the first
      element of the page’s head, allow the tab, and open the editor again.
    </p>
    <CodeSnippet label="Add the tag" snippets={[{ language: 'HTML', code: tag }]} />
  </Notice>
)

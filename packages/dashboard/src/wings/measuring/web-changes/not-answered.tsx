import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'

/** What to do if no page has used the session of the editor. What a page refuses to load cannot say so there. */
export function NotAnswered({ host, tag }: { host: string; tag: string }) {
  const service = new URL(/src="([^"]*)"/.exec(tag)![1]!).origin
  const policy = ['script-src', 'connect-src', 'frame-src'].map((name) => `${name} ${service}`).join('; ')
  return (
    <Notice tone="warning" title="The page has not answered" says="politely">
      <p>
        No script of this environment runs on {host}, the page blocks the editor, or the browser has not opened the tab.
        Allow the tab, check the two things below, and open the editor again.
      </p>
      <p>The tag is the first element of the page’s head:</p>
      <CodeSnippet label="Add the tag" snippets={[{ language: 'HTML', code: tag }]} />
      <p>
        If the page has a Content-Security-Policy, it allows this. The console of the browser names the directive that
        blocks.
      </p>
      <CodeSnippet label="Allow the editor" snippets={[{ language: 'CSP', code: policy }]} />
    </Notice>
  )
}

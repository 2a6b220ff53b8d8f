import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { api } from '../../../api.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'

const answerMs = 10_000
const askMs = 1_000

interface OpenEditorProps {
  /** Ids of the project and the experiment. */
  path: { projectId: string; experimentId: string }
  variationKey: string
  /** The page on which it opens. */
  url: string
  /** The tag of the environment, for a page that does not have it. */
  tag: string
}

/** Opens the visual editor on the site, in a new tab, and says so if no script answers there. */
export function OpenEditor({ path, variationKey, url, tag }: OpenEditorProps) {
  const [opened, setOpened] = useState<string>()
  const [error, setError] = useState<unknown>(null)
  const isMissing = useMissing(path, opened)
  const open = async () => {
    setError(null)
    try {
      const { data } = await api.POST(sessions, { params: { path }, body: { variationKey, url } })
      const { id, url: address } = data!.data
      // Without an opener, so that no policy of the page can separate the two.
      if (address !== null) window.open(address, '_blank', 'noopener')
      setOpened(id)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <>
      <Button leftSection={<IconExternalLink size={16} />} onClick={open}>
        Open editor
      </Button>
      {error !== null && <FailureNotice error={error} />}
      {isMissing && (
        <Notice tone="warning" title="The page has not answered" says="politely">
          <p>
            No script of this environment runs on {new URL(url).host}, or the browser has not opened the tab. Add the
            tag as the first element of the page’s head, allow the tab, and open the editor again.
          </p>
          <CodeSnippet label="Add the tag" snippets={[{ language: 'HTML', code: tag }]} />
        </Notice>
      )}
    </>
  )
}

const sessions = '/api/dashboard/projects/{projectId}/experiments/{experimentId}/editor-sessions'

/** Whether no page has used the session within 10 s. */
function useMissing(path: OpenEditorProps['path'], id: string | undefined): boolean {
  const [missing, setMissing] = useState<string>()
  const { projectId, experimentId } = path
  useEffect(() => {
    if (!id) return
    const endMs = performance.now() + answerMs
    const asking = setInterval(async () => {
      const isLate = performance.now() > endMs
      if (isLate) clearInterval(asking)
      const answer = await api.GET(sessions, { params: { path: { projectId, experimentId } } }).catch(() => undefined)
      const session = answer?.data?.data.find((each) => each.id === id)
      if (session && session.lastUsedAt !== session.createdAt) return clearInterval(asking)
      if (isLate) setMissing(id)
    }, askMs)
    return () => clearInterval(asking)
  }, [projectId, experimentId, id])
  return id !== undefined && missing === id
}

import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { api } from '../../../api.ts'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'

const NotAnswered = lazy(async () => ({ default: (await import('./not-answered.tsx')).NotAnswered }))

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
  isDisabled: boolean
}

/** Opens the visual editor on the site, in a new tab, and says so if no script answers there. */
export function OpenEditor({ path, variationKey, url, tag, isDisabled }: OpenEditorProps) {
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
      <div>
        <Button leftSection={<IconExternalLink size={16} />} disabled={isDisabled} onClick={open}>
          Open editor
        </Button>
      </div>
      {error !== null && <FailureNotice error={error} />}
      {isMissing && (
        <Suspense>
          <NotAnswered host={new URL(url).host} tag={tag} />
        </Suspense>
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

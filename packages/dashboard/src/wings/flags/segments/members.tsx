import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconX } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { saveAnswer } from '../../../ui/code/save-file.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { refresh, useDone } from '../../../versioned.ts'
import classes from './members.module.css'
import { exportPath, listPath, membersPath, onePath, type Segment } from './segment.ts'
import { foundInWords, shownInWords } from './segment-words.ts'

const typingMs = 250
const perPage = 100

interface Path {
  projectId: string
  segmentId: string
}

/** The ids of a segment: found by the service, page by page, and removed one by one. */
export function Members({ segment, mayRemove }: { segment: Segment; mayRemove: boolean }) {
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text.trim(), typingMs)
  const { project } = usePlace()
  const path = { projectId: project.id, segmentId: segment.id }
  const query = useMembers(path, wanted)
  const removal = useRemoval(path)
  if (segment.count === 0)
    return (
      <Text size="sm" c="dimmed">
        No ids yet. Paste them, or take them from a CSV or text file.
      </Text>
    )
  return (
    <>
      <FailureNotice error={removal.error} title="Not removed" />
      <TextInput
        label="Find an id"
        description="The whole id, or how it begins. Upper and lower case differ."
        type="search"
        value={text}
        autoComplete="off"
        spellCheck={false}
        maw="28rem"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Loaded query={query} like="table">
        {({ pages }) => {
          const ids = pages.flatMap(({ data }) => data)
          return (
            <>
              <Text size="sm" role="status">
                {wanted === '' ? shownInWords(ids.length, segment.count) : foundInWords(wanted, ids, query.hasNextPage)}
              </Text>
              <Ids ids={ids} removal={mayRemove ? removal : undefined} />
              <MoreButton query={query} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function useMembers(path: Path, startsWith: string) {
  return useInfiniteQuery({
    queryKey: ['get', membersPath, path, startsWith],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: perPage, ...(startsWith && { startsWith }), ...(cursor !== null && { cursor }) }
      return (await api.GET(membersPath, { params: { path, query }, signal })).data!
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
}

function Ids({ ids, removal }: { ids: readonly string[]; removal: ReturnType<typeof useRemoval> | undefined }) {
  if (ids.length === 0) return null
  return (
    <ul className={classes.ids} aria-label="Visitor ids">
      {ids.map((id) => (
        <li key={id} className={classes.id}>
          <bdi title={id}>{id}</bdi>
          {removal && (
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={`Remove ${id}`}
              loading={removal.isPending && removal.variables === id}
              onClick={() => removal.mutate(id)}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Removes an id. The message can add it again. */
function useRemoval(path: Path) {
  const client = useQueryClient()
  const done = useDone()
  const change = (edit: 'add' | 'remove', id: string) =>
    api.POST(`${membersPath}/${edit}`, { params: { path }, body: { ids: [id] } })
  return useMutation({
    mutationFn: (id: string) => change('remove', id),
    onSuccess: async (_answer, id) => {
      await refresh(client, listPath, onePath, membersPath)
      announce(`${shortened(id)} removed.`, {
        undo: async () => {
          await change('add', id)
          await done(`${shortened(id)} is back.`, listPath, onePath, membersPath)
        },
      })
    },
  })
}

/** Downloads all ids. This is a call, because a link could not name the organization. */
export function ExportButton({ segment }: { segment: Segment }) {
  const { project } = usePlace()
  const exporting = useMutation({
    mutationFn: async () => {
      const params = { path: { projectId: project.id, segmentId: segment.id } }
      saveAnswer(await api.GET(exportPath, { params, parseAs: 'blob' }), `${segment.key}.txt`)
    },
    onError: () => announce('The ids could not be exported. Try again.'),
  })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      Export
    </Button>
  )
}

const shortened = (id: string): string => (id.length > 60 ? `${id.slice(0, 60)}…` : id)

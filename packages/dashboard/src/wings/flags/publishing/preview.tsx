import { Button, Stack, Text, Textarea } from '@mantine/core'
import type { Data } from '@svc/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useSession } from '../../../shell/session.ts'
import type { ChangeNames } from '../../../ui/changes/change-words.ts'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { savedVisitors } from '../playground/saved-visitors.ts'
import { pausedSentence } from './published.ts'
import { isVisitor, maxVisitors, type Visitor, visitorsIn } from './visitors.ts'

const previewPath = '/api/v1/projects/{projectId}/environments/{envId}/staged/preview'
type PreviewAnswer = Data<typeof previewPath, 'post'>

const maxBytes = 8_000_000

interface PreviewProps {
  environment: Environment
  /** The flags to publish; null for everything. */
  flagIds: string[] | null
  /** Changes when the list changes. A preview of an older list goes away. */
  version: string
  names: ChangeNames
  /** Those of the flags that are paused here. */
  paused: readonly { name: string }[]
}

/** Evaluates sample visitors on what is live and on what would be live, and shows who gets something else. */
export function Preview({ environment, flagIds, version, names, paused }: PreviewProps) {
  const { project, params } = usePlace()
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const preview = useMutation({
    mutationFn: (visitors: Visitor[] | 'GENERATE') => evaluate(project.id, environment.id, { flagIds, visitors }),
  })
  const { reset } = preview
  const subject = `${version} ${flagIds?.join() ?? ''}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer belongs to the list that it was asked about
  useEffect(() => reset(), [subject])

  const tryPasted = (pasted: string) => {
    const read = visitorsIn(pasted)
    setFault('fault' in read ? read.fault : undefined)
    if ('visitors' in read) preview.mutate(read.visitors)
  }
  return (
    <Stack gap="sm">
      {paused.length > 0 && <Text size="sm">{pausedSentence(paused, environment.name)}</Text>}
      <SavedVisitors environment={environment} flagIds={flagIds} version={version} names={names} />
      <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate('GENERATE')}>
        Try 1,000 made-up visitors
      </Button>
      <Text size="xs" c="dimmed">
        Made-up visitors have the attributes and values that your rules use. They are not stored.
      </Text>
      <Disclosure summary="Try your own visitors">
        <Stack gap="xs">
          <Textarea
            label="Visitors"
            description={`One JSON object in each line, or a JSON array, at most ${maxVisitors.toLocaleString('en')}.`}
            placeholder={'{"targetingKey":"u-17","country":"NL"}'}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={fault}
            autosize
            minRows={3}
            maxRows={8}
            spellCheck={false}
          />
          <FileDrop
            label="Choose a file"
            accept=".json,.jsonl,.ndjson,application/json"
            maxBytes={maxBytes}
            onFile={async (file) => tryPasted(await file.text())}
          >
            JSON, or one object in each line
          </FileDrop>
          <Button variant="default" loading={preview.isPending} onClick={() => tryPasted(text)}>
            Try these visitors
          </Button>
        </Stack>
      </Disclosure>
      <FailureNotice error={preview.error} title="Not evaluated" />
      {preview.data && <Outcome preview={preview.data} names={names} />}
      <TextLink
        to="/$org/$project/playground"
        params={params}
        search={{ env: environment.key, draft: true }}
        underline="always"
      >
        Open in playground
      </TextLink>
    </Stack>
  )
}

async function evaluate(
  projectId: string,
  envId: string,
  body: { flagIds: string[] | null; visitors: Visitor[] | 'GENERATE' },
): Promise<PreviewAnswer> {
  return (await api.POST(previewPath, { params: { path: { projectId, envId } }, body })).data!.data
}

/** The visitors that this person has saved in the playground are tried without being asked for. */
function SavedVisitors({ environment, flagIds, version, names }: Omit<PreviewProps, 'paused'>) {
  const { project } = usePlace()
  const { user } = useSession()
  const saved = savedVisitors(user.id, project.id).flatMap(({ context }) => (isVisitor(context) ? [context] : []))
  const { data, error, isLoadingError } = useQuery({
    queryKey: ['post', previewPath, environment.id, version, flagIds, saved],
    queryFn: () => evaluate(project.id, environment.id, { flagIds, visitors: saved }),
    enabled: saved.length > 0,
  })
  if (isLoadingError) return <FailureNotice error={error} title="Saved visitors not evaluated" />
  return data && <Outcome preview={data} names={names} isOfSaved />
}

interface OutcomeProps {
  preview: PreviewAnswer
  names: ChangeNames
  isOfSaved?: boolean
}

function Outcome({ preview, names, isOfSaved = false }: OutcomeProps) {
  const { visitors, changed, flags } = preview
  const headline = isOfSaved ? savedHeadline : triedHeadline
  return (
    <Stack gap="xs" role="status">
      <Text fw={600}>{headline(changed, visitors)}</Text>
      {flags
        .filter((flag) => flag.changed > 0)
        .map((flag) => (
          <div key={flag.key}>
            <Text size="sm" fw={600}>
              {flag.key}: {flag.changed.toLocaleString('en')}
            </Text>
            <ul>
              {flag.moves.map(({ from, to, visitors: many, ruleId, examples }) => (
                <li key={`${from} ${to} ${ruleId}`}>
                  <Text size="sm" span>
                    {many.toLocaleString('en')}: {from} → {to}
                    {ruleId !== null && `, by ${names.rules?.get(ruleId) ?? 'another rule'}`}{' '}
                    <Text span c="dimmed" size="xs">
                      for example {examples.join(', ')}
                    </Text>
                  </Text>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </Stack>
  )
}

const triedHeadline = (changed: number, visitors: number): string =>
  changed === 0
    ? `None of ${counted(visitors, 'visitor')} would get a different value.`
    : `${changed.toLocaleString('en')} of ${counted(visitors, 'visitor')} would get a different value.`

const savedHeadline = (changed: number, visitors: number): string =>
  changed === 0
    ? 'Your saved visitors: none would get a different value.'
    : `Your saved visitors: ${changed} of ${visitors} would get a different value.`

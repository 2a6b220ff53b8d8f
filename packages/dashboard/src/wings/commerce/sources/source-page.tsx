import { Button, Code, List } from '@mantine/core'
import { IconRss } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { api } from '../../../api.ts'
import { LastChange } from '../../../shell/deleted.tsx'
import { indexPath } from '../../../shell/index-query.ts'
import { useObjectActions } from '../../../shell/object-actions.ts'
import { ObjectPage } from '../../../shell/object-page.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Facts } from '../../../ui/layout/facts.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { onlyIf, refresh, useDone, type Versioned } from '../../../versioned.ts'
import { DeleteDialog } from '../../flags/references/delete-dialog.tsx'
import { jobsPath } from '../jobs/job.ts'
import { scheduleInWords } from '../schedules/schedule-words.ts'
import { SendFile } from '../sending/send-file.tsx'
import { accept, maxFileBytes, targetOf } from './files.ts'
import { readSource, type Source, sourcePath, sourcesPath } from './source.ts'
import { SourceRuns, useRuns } from './source-runs.tsx'
import { stepIn } from './source-steps.ts'
import {
  authInWords,
  brings,
  consequenceOf,
  encodings,
  fieldName,
  fieldsInWords,
  formats,
  guardsInWords,
  modeInWords,
} from './source-words.ts'

const SetUpSource = lazy(async () => ({ default: (await import('./set-up-source.tsx')).SetUpSource }))

/** One source: how its runs go, what it brings, and how. */
export function SourcePage() {
  const { catalog_source: wanted } = useParams({ from: '/inside/$org/$project/commerce/sources/$catalog_source' })
  const { params } = usePlace()
  return (
    <ObjectPage
      noun="catalog source"
      wanted={wanted}
      Icon={IconRss}
      path={sourcePath}
      read={readSource}
      near={({ catalogSources }) => catalogSources}
      link={({ key, name }) => (
        <TextLink
          to="/$org/$project/commerce/sources/$catalog_source"
          params={{ ...params, catalog_source: key }}
          underline="always"
        >
          {name}
        </TextLink>
      )}
      all={
        <TextLink to="/$org/$project/commerce/sources" params={params}>
          All catalog sources
        </TextLink>
      }
    >
      {(source) => <Shown source={source} />}
    </ObjectPage>
  )
}

function Shown({ source }: { source: Versioned<Source> }) {
  const { content, etag } = source
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const mayEdit = useMay('catalog:write')
  const { offers, panel, open, close, ...deletion } = useObjectActions('catalog source', mayEdit)
  const runs = useRuns(content.id)
  const path = { projectId: project.id, sourceId: content.id }
  const canSync = content.url !== null
  const sync = useSync(content, close)
  const remove = async () => {
    await api.DELETE(sourcePath, { params: { path, header: onlyIf(etag) } })
    await navigate({ to: '/$org/$project/commerce/sources', params })
    await done(`${content.name} deleted.`, sourcesPath, indexPath)
  }
  const step = stepIn(panel)
  return (
    <Page
      title={content.name}
      description={
        <>
          <Code>{content.key}</Code> {brings[content.type]}
        </>
      }
      actions={
        offers && (
          <>
            <Button variant="default" onClick={deletion.askDelete}>
              Delete…
            </Button>
            <Button variant="default" onClick={() => open('edit')}>
              Edit source
            </Button>
            {canSync && (
              <Button loading={sync.isPending || runs.isRunning} onClick={() => sync.mutate()}>
                Sync now
              </Button>
            )}
          </>
        )
      }
    >
      {!mayEdit && <OnlyFor>You can look at catalog sources. People who manage integrations can change them.</OnlyFor>}
      <LastChange kind="catalog_source" id={content.id} />
      <FailureNotice error={sync.error} title="Not synced" />
      {mayEdit && content.url === null && <SendSection source={content} />}
      <SourceRuns source={content} runs={runs} />
      {mayEdit && content.url !== null && <SendSection source={content} />}
      <Settings source={content} />
      <Suspense fallback={null}>
        {step && (
          <SetUpSource
            source={source}
            step={step}
            go={(to) => (to === undefined ? close() : open(to))}
            sync={() => (canSync ? sync.mutate() : close())}
          />
        )}
      </Suspense>
      {deletion.isDeleting && (
        <DeleteDialog noun="catalog source" name={content.name} remove={remove} onClose={deletion.keep}>
          {whatStays[content.type]} A source with a job that is queued or running cannot be deleted.
        </DeleteDialog>
      )}
    </Page>
  )
}

const whatStays: Record<Source['type'], string> = {
  PRODUCTS:
    'Its items stay in the catalog, and nobody owns them any more: the API can change them, and a source that has them takes them over.',
  SUPPLEMENT: 'What it says is removed, so the values of the feed count again.',
  ORDERS: 'Its orders stay.',
}

/** Asks for a sync. The runs of the page show how it goes. */
function useSync({ id }: Source, onBegun: () => void) {
  const { project } = usePlace()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.POST(`${sourcePath}/sync`, { params: { path: { projectId: project.id, sourceId: id } } }),
    onSuccess: async ({ response }) => {
      onBegun()
      await refresh(client, jobsPath)
      announce(response.status === 200 ? 'A sync of this source is under way already.' : 'The sync has begun.')
    },
  })
}

/** A file of a person, also in place of the one at the address. */
function SendSection({ source }: { source: Source }) {
  const field = (
    <SendFile
      to={targetOf(source)}
      accept={accept}
      maxBytes={maxFileBytes}
      hint="It can be packed by gzip."
      consequence={consequenceOf(source)}
    />
  )
  if (source.url === null)
    return (
      <Section
        title="Send a file"
        description={
          <>
            A person sends it here, and a program with <Code>svc source upload {source.key}</Code>.
          </>
        }
      >
        {field}
      </Section>
    )
  return (
    <Section title="Send a file" description="In place of the one at the address, for once.">
      <Disclosure summary="Choose a file">{field}</Disclosure>
    </Section>
  )
}

const withoutCurrency: Record<Source['type'], string> = {
  PRODUCTS: 'Their rows are skipped',
  SUPPLEMENT: 'In that of their item',
  ORDERS: 'Their orders are skipped',
}

function Settings({ source }: { source: Source }) {
  const { url, auth, format, encoding, defaultCurrency, mapping, schedule, mode, type } = source
  const guards = guardsInWords(source)
  const columns = Object.entries(mapping)
  const { environments } = usePlace()
  const environment = environments.find(({ id }) => id === source.envId)
  const facts: [string, ReactNode][] = [
    ['File', url === null ? 'Files that you send' : <Code key="url">{url}</Code>],
    ...(source.fields ? [['Sets', fieldsInWords(source.fields)] as [string, ReactNode]] : []),
    ...(type === 'ORDERS'
      ? [['Environment', environment?.name ?? 'A deleted environment'] as [string, ReactNode]]
      : []),
    ...(url === null ? [] : [['Sign-in', authInWords(auth)] as [string, ReactNode]]),
    ['Format', format === 'AUTO' ? formats[format] : `${formats[format]}, ${encodings[encoding]}`],
    [
      type === 'PRODUCTS' ? 'Prices without a currency' : 'Amounts without a currency',
      defaultCurrency === null ? withoutCurrency[type] : `In ${defaultCurrency}`,
    ],
    ['Runs', url === null ? 'When a file is sent' : scheduleInWords(schedule)],
    ...(type === 'ORDERS' ? [] : [['A sync removes', modeInWords(mode, type)] as [string, ReactNode]]),
    ...(columns.length > 0
      ? [
          [
            'Columns',
            <List key="columns" size="sm">
              {columns.map(([field, column]) => (
                <List.Item key={field}>
                  {fieldName(field)} from <Code>{column}</Code>
                </List.Item>
              ))}
            </List>,
          ] as [string, ReactNode],
        ]
      : []),
  ]
  return (
    <>
      <Section title="How it is read">
        <Facts facts={facts} isFirstLong isLastLong={columns.length > 0} />
      </Section>
      <Section
        title="When a sync is held"
        description="If one of these is true, nothing of it goes live until a person has looked at it."
      >
        {guards.length > 0 && (
          <List size="sm">
            {guards.map((guard) => (
              <List.Item key={guard}>{guard}</List.Item>
            ))}
          </List>
        )}
      </Section>
    </>
  )
}

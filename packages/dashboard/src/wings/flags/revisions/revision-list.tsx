import { Button, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ToSubjects } from '../../../shell/subject.tsx'
import { type ChangeNames, changeWords } from '../../../ui/changes/change-words.ts'
import { Changed } from '../../../ui/changes/changing.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { changeNames } from '../publishing/staged.ts'
import { Author } from './author.tsx'
import type { HistorySearch } from './history-filters.tsx'
import { useRevisions } from './revision-queries.ts'
import { labelOf, type Place, type Revision, reasonSentence, toldLines, waitingWords } from './revision-words.ts'
import classes from './revisions.module.css'

// The list is readable before both are there.
const HistoryFilters = lazy(async () => ({ default: (await import('./history-filters.tsx')).HistoryFilters }))
const Unpublished = lazy(async () => ({ default: (await import('./unpublished.tsx')).Unpublished }))

interface RevisionListProps {
  environment: Environment
  /** Only what changed this flag. */
  flag?: { id: string; key: string; name: string }
}

/** Revisions, newest first. Those that are made meanwhile wait above the list, so that no row moves away. */
export function RevisionList({ environment, flag }: RevisionListProps) {
  const { project } = usePlace()
  const { data: index } = useProjectIndex()
  const search = useSearch({ strict: false }) as HistorySearch
  const filter = { flagId: flag?.id ?? search.flag, by: search.by }
  const { list, newest, showNewest } = useRevisions(environment, filter)
  const isFiltered = search.by !== undefined || search.flag !== undefined
  const frame = useRef<HTMLDivElement>(null)
  const shown = list.data?.pages.flatMap(({ data }) => data) ?? []
  const waiting = list.data && waitingWords(newest, shown[0])
  const show = async () => {
    await showNewest()
    frame.current?.focus()
  }
  return (
    <Stack gap="md" ref={frame} tabIndex={-1} className={classes.frame ?? ''}>
      <Suspense fallback={<div className={classes.filters} />}>
        <HistoryFilters ofOneFlag={flag !== undefined} revisions={shown} />
      </Suspense>
      <Suspense>
        <Unpublished environment={environment} flagKey={flag?.key ?? search.flag} by={search.by} />
      </Suspense>
      {waiting && (
        <Notice
          says="politely"
          title={waiting}
          actions={
            <Button variant="default" size="compact-sm" onClick={() => void show()}>
              Show
            </Button>
          }
        />
      )}
      <Loaded query={list} like="table" lines={6}>
        {() =>
          isFiltered && shown.length === 0 ? (
            <Text size="sm">Nothing that was published here matches the filters.</Text>
          ) : shown.every(({ revision }) => revision === 0) && !flag && !isFiltered ? (
            <EmptyState
              icon={<IconHistory size={36} />}
              title="Nothing was published yet"
              action={<ToSubjects env={environment.key} isMain />}
            >
              Each publish and each {project.type === 'WEB' ? 'launch or pause' : 'switch'} in {environment.name}{' '}
              creates a revision. Revisions are kept as long as the environment.
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption={flag ? `Revisions of ${flag.name} in ${environment.name}` : `Revisions of ${environment.name}`}
                rows={shown}
                keyOf={labelOf}
                columns={columnsOf(environment, flag?.key, changeNames({ flags: toldFlags(shown) }, index))}
              />
              <MoreButton query={list} />
            </>
          )
        }
      </Loaded>
      <ToAudit flag={flag} by={search.by} />
    </Stack>
  )
}

/** Drafts that were edited and discarded never reached a visitor, so they are no rows here. */
function ToAudit({ flag, by }: { flag: { id: string; name: string } | undefined; by: string | undefined }) {
  const { project, params } = usePlace()
  if (!useMay('audit:read')) return null
  return (
    <Text size="sm" c="dimmed">
      Edits that were discarded before a publish are in{' '}
      <TextLink
        to="/$org/settings/audit"
        params={params}
        search={{
          projectId: project.id,
          ...(flag && { objectType: 'flag', objectId: flag.id }),
          ...(by !== undefined && { actor: by }),
        }}
        underline="always"
      >
        the audit log{flag && ` of ${flag.name}`}
      </TextLink>
      .
    </Text>
  )
}

/** The flags with the changes that the list has read. */
const toldFlags = (rows: readonly Revision[]) =>
  rows.flatMap(({ flags }) => flags.flatMap(({ changes }) => (changes ? [{ changes }] : [])))

/** Changes that a row tells. The page of the revision has all of them. */
const toldMax = 3

const columnsOf = ({ key }: Environment, flag: string | undefined, names: ChangeNames): Column<Revision>[] => [
  { title: 'Revision', cell: (row) => <RevisionLink environment={key} place={row} flag={flag} fw={600} /> },
  {
    title: 'What',
    cell: (row) => (
      <div className={classes.what}>
        <div>{reasonSentence(row)}</div>
        <Told row={row} isOne={flag !== undefined || row.flagCount === 1} names={names} />
        {row.step > 0 && (
          <Text size="sm" c="dimmed" component="div">
            Visitors get the same as before
          </Text>
        )}
        {row.comment !== null && (
          <Text size="sm" c="dimmed" component="div" className={classes.comment ?? ''}>
            <bdi>{row.comment}</bdi>
          </Text>
        )}
      </div>
    ),
  },
  { title: 'Who', cell: ({ publishedBy }) => <Author of={publishedBy} /> },
  { title: 'When', cell: ({ publishedAt }) => <Time time={publishedAt} never="With the environment" /> },
]

interface ToldProps {
  row: Revision
  /** The sentence above names the only flag. */
  isOne: boolean
  names: ChangeNames
}

/** The first changes of a row, before → after. */
function Told({ row, isOne, names }: ToldProps) {
  const { lines, more } = toldLines(row, toldMax)
  if (lines.length === 0) return null
  return (
    <ul className={classes.told}>
      {lines.map(({ flag, change }) => (
        <li key={`${flag} ${change.path}`}>
          {!isOne && `${flag}: `}
          <Changed words={changeWords(change, names)} isPublished />
        </li>
      ))}
      {more > 0 && <li>And {counted(more, 'more change')}</li>}
    </ul>
  )
}

interface RevisionLinkProps {
  environment: string
  place: Place
  flag?: string | undefined
  fw?: number
  /** Within a sentence, color alone does not mark a link. */
  isInText?: boolean
}

export function RevisionLink({ environment, place, flag, fw, isInText = false }: RevisionLinkProps) {
  const { params } = usePlace()
  return (
    <TextLink
      to="/$org/$project/environments/$environment/history/$revision"
      params={{ ...params, environment, revision: labelOf(place) }}
      search={flag === undefined ? {} : { flag }}
      {...(fw && { fw })}
      {...(isInText && { underline: 'always' })}
    >
      Revision {labelOf(place)}
    </TextLink>
  )
}

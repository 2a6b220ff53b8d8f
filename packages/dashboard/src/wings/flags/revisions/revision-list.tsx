import { Button, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useRef } from 'react'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { ToSubjects } from '../../../shell/subject.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { Author } from './author.tsx'
import { useRevisions } from './revision-queries.ts'
import { labelOf, type Place, type Revision, reasonSentence, waitingWords } from './revision-words.ts'
import classes from './revisions.module.css'

interface RevisionListProps {
  environment: Environment
  /** Only what changed this flag. */
  flag?: { id: string; key: string; name: string }
}

/** Revisions, newest first. Those that are made meanwhile wait above the list, so that no row moves away. */
export function RevisionList({ environment, flag }: RevisionListProps) {
  const { project } = usePlace()
  const { list, newest, showNewest } = useRevisions(environment, flag?.id)
  const frame = useRef<HTMLDivElement>(null)
  const shown = list.data?.pages.flatMap(({ data }) => data) ?? []
  const waiting = list.data && waitingWords(newest, shown[0])
  const show = async () => {
    await showNewest()
    frame.current?.focus()
  }
  return (
    <Stack gap="md" ref={frame} tabIndex={-1} className={classes.frame ?? ''}>
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
          shown.every(({ revision }) => revision === 0) && !flag ? (
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
                columns={columnsOf(environment, flag?.key).filter(
                  ({ title }) => title !== 'Flags' || project.type !== 'WEB',
                )}
              />
              <MoreButton query={list} />
            </>
          )
        }
      </Loaded>
    </Stack>
  )
}

const columnsOf = ({ key }: Environment, flag: string | undefined): Column<Revision>[] => [
  { title: 'Revision', cell: (row) => <RevisionLink environment={key} place={row} flag={flag} fw={600} /> },
  {
    title: 'What',
    cell: (row) => (
      <div className={classes.what}>
        <div>{reasonSentence(row)}</div>
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
  { title: 'Flags', cell: ({ flagCount }) => flagCount.toLocaleString('en') },
  { title: 'Who', cell: ({ publishedBy }) => <Author of={publishedBy} /> },
  { title: 'When', cell: ({ publishedAt }) => <Time time={publishedAt} never="With the environment" /> },
]

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

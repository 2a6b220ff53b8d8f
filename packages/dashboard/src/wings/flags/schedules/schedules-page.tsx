import { Text } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { byCursor, server } from '../../../api.ts'
import { segmentOf } from '../../../shell/address.ts'
import { idOf } from '../../../shell/held-rows.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { PagedList } from '../../../shell/paged-list.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ToSubjects, useSubject } from '../../../shell/subject.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { ScheduleButtons } from './schedule-buttons.tsx'
import { type ListedSchedule, schedulesPath } from './schedule-queries.ts'
import { scheduleSentence } from './schedule-words.ts'

/** What runs and pauses by itself in a project: what needs attention first, then what comes next. */
export function SchedulesPage() {
  const { project } = usePlace()
  const isWeb = project.type === 'WEB'
  const mayEdit = useMay(isWeb ? 'experiments:write' : 'flags:write')
  const { column } = useSubject()
  const query = server.useInfiniteQuery(
    'get',
    schedulesPath,
    { params: { path: { projectId: project.id }, query: { limit: 50 } } },
    byCursor,
  )
  return (
    <Page title="Schedules" description={`Scheduled runs and pauses in ${project.name}.`}>
      {!mayEdit && <OnlyFor>You can look at schedules. Editors and admins can change them.</OnlyFor>}
      <PagedList
        query={query}
        noun="schedule"
        Icon={IconCalendarTime}
        lines={5}
        empty={{
          title: 'Nothing is scheduled',
          words: isWeb
            ? 'Experiments that are launched, paused or completed at a set time appear here.'
            : 'Open a flag and choose Schedule to run or pause it at a set time.',
          action: <ToSubjects />,
        }}
      >
        {(rows) => (
          <DataTable
            caption="Schedules"
            rows={rows}
            keyOf={idOf}
            columns={mayEdit ? [...columnsOf(column), actions] : columnsOf(column)}
          />
        )}
      </PagedList>
    </Page>
  )
}

const columnsOf = (what: string): Column<ListedSchedule>[] => [
  { title: what, cell: (schedule) => <What schedule={schedule} /> },
  {
    title: 'State',
    cell: ({ status }) => (
      <div>
        <Status of="schedule" value={status} />
      </div>
    ),
  },
  { title: 'What happens', cell: (schedule) => <Happens schedule={schedule} /> },
]

const actions: Column<ListedSchedule> = {
  title: 'Actions',
  isActions: true,
  cell: (schedule) => <RowButtons schedule={schedule} />,
}

function What({ schedule: { flag, rule, experiment, environment } }: { schedule: ListedSchedule }) {
  const { params } = usePlace()
  if (experiment)
    return (
      <div>
        <TextLink
          to="/$org/$project/experiments/$experiment"
          params={{ ...params, experiment: segmentOf(experiment) }}
          fw={600}
        >
          {experiment.name}
        </TextLink>
        <Text size="sm" c="dimmed">
          {flag ? `Experiment on ${flag.name}` : 'Web experiment'} in {environment.name}
        </Text>
      </div>
    )
  if (!flag) return null
  return (
    <div>
      <TextLink
        to="/$org/$project/flags/$flag"
        params={{ ...params, flag: flag.key }}
        search={{ env: environment.key }}
        fw={600}
      >
        {flag.name}
      </TextLink>
      <Text size="sm" c="dimmed">
        {rule ? `Rule ${rule.name} in ${environment.name}` : environment.name}
      </Text>
    </div>
  )
}

function Happens({ schedule }: { schedule: ListedSchedule }) {
  const now = useNow()
  const { status, by, note } = schedule
  return (
    <div>
      {scheduleSentence(schedule, now, ownZone())}
      {(note || (status === 'PENDING' && by)) && (
        <Text size="sm" c="dimmed">
          {status === 'PENDING' && by && `Set by ${by.name}. `}
          {note && `“${note}”`}
        </Text>
      )}
    </div>
  )
}

function RowButtons({ schedule }: { schedule: ListedSchedule }) {
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const { flag, environment, ruleId, experiment } = schedule
  const edit = () =>
    void (experiment
      ? navigate({
          to: '/$org/$project/experiments/$experiment',
          params: { ...params, experiment: segmentOf(experiment) },
          search: { panel: 'schedule' },
        })
      : navigate({
          to: '/$org/$project/flags/$flag',
          params: { ...params, flag: flag?.key ?? '' },
          search: { env: environment.key, schedule: ruleId ?? 'flag' },
        }))
  // The page of a web experiment has no form for its schedule.
  const isOnPage = experiment !== null && flag === null
  return <ScheduleButtons projectId={project.id} schedule={schedule} {...(!isOnPage && { onEdit: edit })} />
}

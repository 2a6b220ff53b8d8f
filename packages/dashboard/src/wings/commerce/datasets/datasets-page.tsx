import { IconDatabase } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { ListPage } from '../../../shell/list-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { containing } from '../../../ui/table/containing.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { NameCell } from '../name-cell.tsx'
import { scheduleInWords } from '../schedules/schedule-words.ts'
import { CommerceTabs } from '../tabs.tsx'
import { useWholeList } from '../use-whole-list.ts'
import { type Dataset, datasetsPath } from './dataset.ts'
import { kinds } from './dataset-words.ts'

const NewDataset = lazy(async () => ({ default: (await import('./new-dataset.tsx')).NewDataset }))

/** What models learn from. A project has up to 50 datasets, so the list is read whole. */
export function DatasetsPage() {
  const { params } = usePlace()
  const mayEdit = useMay('datasets:write')
  const query = useWholeList(datasetsPath)
  const columns: Column<Dataset>[] = [
    {
      title: 'Dataset',
      cell: ({ name, key }) => (
        <NameCell
          apiKey={key}
          link={
            <TextLink
              to="/$org/$project/commerce/datasets/$dataset"
              params={{ ...params, dataset: key }}
              underline="hover"
            >
              {name}
            </TextLink>
          }
        />
      ),
    },
    { title: 'Contains', cell: ({ kind }) => kinds[kind] },
    {
      title: 'Active version',
      cell: ({ activeVersion }) => (activeVersion ? `Version ${activeVersion.number}` : 'None yet'),
    },
    { title: 'Rows', cell: ({ activeVersion }) => activeVersion?.rows.toLocaleString('en') ?? '' },
    {
      title: 'Runs',
      cell: ({ kind, schedule }) => (kind === 'NEIGHBOURS' ? 'When a file is sent' : scheduleInWords(schedule)),
    },
    { title: 'Edited', cell: ({ updatedAt }) => <Time time={updatedAt} /> },
  ]
  return (
    <ListPage
      noun="dataset"
      description="What models learn from: versions of what visitors did with products, or of what you have trained elsewhere."
      Icon={IconDatabase}
      above={<CommerceTabs />}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at datasets. People who manage integrations can change them."
      empty="A dataset says which events count, in which environment and in how many days. Models learn from its active version."
      command='svc dataset create --name Behaviour --kind INTERACTIONS --cron "45 2 * * *"'
      filter={{ in: 'name or key', matching }}
      panel={(name, close) => (
        <Suspense fallback={null}>{name === 'create' && <NewDataset onClose={close} />}</Suspense>
      )}
    >
      {(rows) => <DataTable caption="Datasets" rows={rows} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  )
}

const matching = (rows: readonly Dataset[], text: string): Dataset[] =>
  containing(rows, text, ({ name, key }) => [name, key])

import { Text } from '@mantine/core'
import { server } from '../../../api.ts'
import { segmentOf } from '../../../shell/address.ts'
import { usePlace } from '../../../shell/place.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { errorsPath, placeOfError, shareOfVisitors } from './code-error-words.ts'
import type { ExperimentOnPages } from './experiment.ts'

/** What the code of variations has thrown on pages of visitors, with the way to the code. */
export function CodeErrors({ experiment }: { experiment: ExperimentOnPages }) {
  const { projectId, id, variations } = experiment
  const { params } = usePlace()
  const query = server.useQuery('get', errorsPath, { params: { path: { projectId, experimentId: id } } })
  const hasCode = variations.some((variation) => variation.hasCode)
  if (!hasCode && !query.data?.data.length) return null
  const nameOf = (key: string) => variations.find((each) => each.key === key)?.name ?? key
  return (
    <Section
      title="Errors of code"
      description="What the code of variations has thrown on pages of visitors in the last 30 days."
    >
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm">The code has thrown no errors.</Text>
          ) : (
            <DataTable
              caption="Errors of code"
              rows={data}
              keyOf={(error) => error.id}
              columns={[
                {
                  title: 'Error',
                  cell: ({ message, excerpt }) => (
                    <>
                      {message}
                      {excerpt !== null && (
                        <div>
                          <code>{excerpt}</code>
                        </div>
                      )}
                    </>
                  ),
                },
                {
                  title: 'Code',
                  cell: (error) => (
                    <TextLink
                      to="/$org/$project/experiments/$experiment/design/$variation"
                      params={{ ...params, experiment: segmentOf(experiment), variation: error.variationKey }}
                    >
                      {placeOfError(error, nameOf(error.variationKey))}
                    </TextLink>
                  ),
                },
                { title: 'Visitors', cell: shareOfVisitors },
                { title: 'Last seen', cell: ({ lastSeenAt }) => <Time time={lastSeenAt} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

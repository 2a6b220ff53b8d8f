import { List, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { failedWords } from '../playground/reasons.ts'
import type { Context } from '../playground/visitor.ts'
import { VisitorFields } from '../playground/visitor-fields.tsx'
import { type Audience, conditionOf, namesIn } from './audience.ts'
import { attributesIn } from './reach-words.ts'

const path = '/api/v1/projects/{projectId}/audiences/{audienceId}/evaluate'

/** A visitor whom the person types, and whether the visitor is in the audience. */
export function TryAudience({ audience }: { audience: Audience }) {
  const [context, setContext] = useState<Context>({})
  return (
    <Section
      title="Try a visitor"
      description="Whether a visitor is in the audience, as it is edited. Nothing is counted, and nothing changes."
    >
      <VisitorFields context={context} attributes={attributesIn(conditionOf(audience))} onChange={setContext} />
      {Object.keys(context).length === 0 ? (
        <Text size="sm" c="dimmed">
          Type a visitor id or the value of an attribute.
        </Text>
      ) : (
        <Answer audience={audience} context={context} />
      )}
    </Section>
  )
}

function Answer({ audience, context }: { audience: Audience; context: Context }) {
  const { project } = usePlace()
  const { data: index } = useProjectIndex()
  const params = { path: { projectId: project.id, audienceId: audience.id } }
  const query = useQuery({
    queryKey: ['get', path, { params, body: { context } }, audience.updatedAt],
    queryFn: async ({ signal }) => (await api.POST(path, { params, body: { context }, signal })).data!.data,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  })
  return (
    <Loaded query={query} lines={1}>
      {({ matches, failed, moreFailed }) =>
        matches ? (
          <Notice tone="good" says="politely" title="The visitor is in the audience" />
        ) : (
          <Notice says="politely" title="The visitor is not in the audience">
            <List size="sm">
              {[...new Set(failed.map((each) => failedWords(each, namesIn(index))))].map((words) => (
                <List.Item key={words}>{words}</List.Item>
              ))}
              {moreFailed > 0 && <List.Item>{counted(moreFailed, 'more condition')} not met</List.Item>}
            </List>
          </Notice>
        )
      }
    </Loaded>
  )
}

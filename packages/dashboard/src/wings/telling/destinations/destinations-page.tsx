import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { usePlace } from '../../../shell/place.ts'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { releaseEventOf } from '../deliveries/events.ts'
import { SendersPage } from '../deliveries/senders-page.tsx'
import { type Destination, destinations } from './destination-path.ts'
import { stateOf } from './destination-state.ts'
import { rowOf } from './kinds.ts'

/** The destinations of the project, besides webhooks. */
export function DestinationsPage() {
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const now = useNow()
  const create = { to: '/$org/$project/integrations/destinations/new', params, search: {} } as const
  return (
    <SendersPage<Destination>
      kind={destinations}
      description="Each destination notifies people about events of this project: in a chat, a ticket or an alarm."
      onlyFor="You can look at destinations and deliveries. Admins can change them."
      empty="Follow what is published in Slack, Teams, Discord or Google Chat, get one ticket for a problem in Jira, Linear or GitHub, and one alarm in PagerDuty when a test goes wrong."
      command={`svc destination create --project ${project.key} --kind SLACK --name "#releases" --event ${releaseEventOf(project.type)}`}
      about={({ kind }) => rowOf(kind).label}
      filter={{ in: 'kind', textOf: ({ kind }) => rowOf(kind).label }}
      state={(destination) => stateOf(destination, now)}
      create={{
        link: (
          <ButtonLink {...create} leftSection={<IconPlus size={16} aria-hidden />}>
            Create destination
          </ButtonLink>
        ),
        go: () => void navigate(create),
      }}
    />
  )
}

import { Anchor } from '@mantine/core'
import type { Data } from '@svc/client'
import { eventCatalogue } from '@svc/client/catalogue'
import { IconTicket } from '@tabler/icons-react'
import { server } from '../api.ts'
import { Time } from '../ui/time/time.tsx'
import { usePlace } from './place.ts'
import classes from './tickets.module.css'

const path = '/api/dashboard/projects/{projectId}/tickets'
type Ticket = Data<typeof path, 'get'>[number]

const kinds: Record<string, string> = { JIRA: 'Jira', LINEAR: 'Linear', GITHUB: 'GitHub', PAGERDUTY: 'PagerDuty' }

/** The open tickets about a flag or an experiment, each with the link to it. Nothing if there is none. */
export default function Tickets({ about }: { about: string }) {
  const { project } = usePlace()
  const query = server.useQuery('get', path, { params: { path: { projectId: project.id }, query: { about } } })
  const tickets = query.data?.data ?? []
  if (tickets.length === 0) return null
  return (
    <ul className={classes.list} aria-label="Open tickets">
      {tickets.map((ticket) => (
        <li key={`${ticket.kind} ${ticket.name} ${ticket.event}`}>
          <IconTicket size={16} aria-hidden />
          <span>
            <Name ticket={ticket} />: {reasonOf(ticket.event)}, last update <Time time={ticket.toldAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Name({ ticket: { kind, name, url } }: { ticket: Ticket }) {
  const text = `${kinds[kind] ?? kind} ${name ?? 'alarm'}`
  return url === null ? (
    text
  ) : (
    <Anchor href={url} target="_blank" rel="noreferrer" underline="always">
      {text}
    </Anchor>
  )
}

/** "sample ratio mismatch for a flag rule" */
function reasonOf(event: string): string {
  const meaning = (eventCatalogue as Record<string, { meaning: string }>)[event]?.meaning ?? event
  return meaning.charAt(0).toLowerCase() + meaning.slice(1)
}

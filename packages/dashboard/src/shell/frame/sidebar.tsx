import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { segmentOf } from '../address.ts'
import { useOrganization } from '../session.ts'
import { isSubordinate, type NavigationRow } from '../wing.ts'
import { useLevel } from './level.ts'
import classes from './sidebar.module.css'

/** Pages whose address is the beginning of other pages' addresses. */
const exact = ['/$org', '/account']

/** The links of one level: of the project, of the organization, or of the person. */
export function Sidebar() {
  const { level, groups } = useLevel()
  const organization = useOrganization()
  const params = organization && { org: segmentOf(organization) }
  return (
    <>
      {level === 'account' && organization && params && (
        <Link to="/$org" params={params} className={classes.link} activeProps={{}}>
          <IconArrowLeft size={20} stroke={1.75} aria-hidden />
          {organization.name}
        </Link>
      )}
      {groups.map(({ rows }) => (
        <ul key={rows[0]?.to} className={classes.group}>
          {rows.map((row) => (
            <li key={row.to}>
              <SidebarLink row={row} {...(params && level === 'organization' && { params })} />
            </li>
          ))}
        </ul>
      ))}
    </>
  )
}

function SidebarLink({ row, params }: { row: NavigationRow; params?: { org: string } }) {
  const { to, label, Icon } = row
  return (
    <Link
      to={to}
      // Links of a level keep the organization and the project of the address.
      params={(current: object) => ({ ...current, ...params }) as never}
      className={classes.link}
      data-subordinate={isSubordinate(row) || undefined}
      activeOptions={{ exact: exact.includes(to), includeSearch: false }}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      {label}
    </Link>
  )
}

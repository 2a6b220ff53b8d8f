import { createKept, keptCookie, keptIn } from '../../../../sdk/src/web/kept.ts'
import { visitorCookie } from '../../../../sdk/src/web/visitor-id.ts'
import type { Part } from '../part.ts'

/** Keeps the variations of sticky experiments in a cookie, so that a server knows them too. */
const sticky: Part = (host) => {
  const { page, file, cookies, join, leave } = host
  const kept = createKept(keptIn(page.document.cookie), file.environment.id)
  let isJoined = false

  const save = (): void => {
    const text = kept.text()
    // It goes with the id, which a different tab can have deleted.
    if (!isJoined || !text || !page.document.cookie.includes(`${visitorCookie}=`)) return
    // A server can have set one for this host alone.
    cookies.drop(keptCookie)
    cookies.keep(keptCookie, text)
  }
  host.keep = {
    ...kept,
    set(...given) {
      kept.set(...given)
      save()
    },
  }
  host.join = () => {
    join()
    isJoined = true
    save()
  }
  host.leave = () => {
    isJoined = false
    leave()
  }
  return (all) => all
}

svcParts.push(sticky)

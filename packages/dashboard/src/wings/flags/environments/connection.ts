/** Two polls at 30 s, or one heartbeat of a streaming client, with some margin. The service counts the same way. */
const silentAfterMs = 90_000

export type Connection = 'CONNECTED' | 'SILENT' | 'NEVER'

/** Whether SDKs use an environment now: an SDK that runs sends heartbeats. */
export function connectionOf(lastHeartbeatAt: string | null, now: Date): Connection {
  if (lastHeartbeatAt === null) return 'NEVER'
  return now.getTime() - new Date(lastHeartbeatAt).getTime() <= silentAfterMs ? 'CONNECTED' : 'SILENT'
}

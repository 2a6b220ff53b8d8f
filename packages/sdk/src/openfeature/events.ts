import type { AnyProviderEvent, EventHandler, Logger, ProviderEventEmitter } from '@openfeature/core'

type Entry = [event: AnyProviderEvent, handler: EventHandler]

/** The emitter that OpenFeature expects of a provider. A handler that fails affects neither the others nor the caller. */
export function createProviderEvents(): ProviderEventEmitter<AnyProviderEvent> {
  let entries: Entry[] = []
  let logger: Pick<Logger, 'error'> = console

  const events: ProviderEventEmitter<AnyProviderEvent> = {
    emit(event, details) {
      // Runs synchronously up to the handler's first `await`. Catches both throws and rejections.
      const call = async ([name, handler]: Entry) => {
        try {
          // The SDK adds the name of the provider to the details.
          if (name === event) await handler(details as Parameters<EventHandler>[0])
        } catch (fault) {
          logger.error('Svc: a handler threw', fault)
        }
      }
      for (const entry of entries) void call(entry)
    },
    addHandler(event, handler) {
      entries = [...entries, [event, handler]]
    },
    removeHandler(event, handler) {
      entries = entries.filter(([name, known]) => name !== event || known !== handler)
    },
    removeAllHandlers(event) {
      entries = entries.filter(([name]) => event && name !== event)
    },
    getHandlers: (event) => entries.filter(([name]) => name === event).map(([, handler]) => handler),
    setLogger(given) {
      logger = given
      return events
    },
  }
  return events
}

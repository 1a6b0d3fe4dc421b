/** Groups a hub's APIs into toolkits, once for all questions of the hub. */
import type { LoadedSuite, MadeToolkits } from "../../../source/engine/loaded-suite.ts";
import type { Toolkit } from "../../../source/engine/protocol.ts";
import { clusterRequests, clusterSettings } from "../../../source/engine/toolkits/cluster-settings.ts";
import type { Clustered, ClusterItem, ToolClusters } from "../../../source/engine/toolkits/tool-clusters.ts";
import { usesToolkits } from "../../../source/engine/toolkits/toolkits-option.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { type Monitor, unmonitored } from "../../../source/engine/work/monitor.ts";
import type { HubApi, HubData } from "../data/catalogue.ts";
import { type Hub, hubs } from "../score/extraction.ts";
import { toolOf } from "./environment.ts";

/** Returns the hub of a run, or undefined if the split is not a hub. */
export const hubOf = ({ split }: Pick<RunSpec, "split">): Hub | undefined => hubs.find((name) => name === split);

/** Returns the hub of a run that plans over toolkits. */
const groupedHub = (spec: RunSpec): Hub | undefined => (usesToolkits(spec) ? hubOf(spec) : undefined);

export class HubToolkits implements NonNullable<LoadedSuite["toolkits"]> {
  readonly #opened: ReadonlyMap<Hub, HubData>;
  readonly #clusters: ToolClusters;
  readonly #signal: AbortSignal | undefined;

  constructor(opened: ReadonlyMap<Hub, HubData>, clusters: ToolClusters, signal: AbortSignal | undefined) {
    this.#opened = opened;
    this.#clusters = clusters;
    this.#signal = signal;
  }

  /** Returns the toolkits if they exist already. */
  known(hub: Hub, spec: RunSpec): readonly Toolkit[] | undefined {
    return this.#clusters.known(hub, clusterSettings(spec))?.toolkits;
  }

  make(hub: Hub, spec: RunSpec, monitor: Monitor = unmonitored(this.#signal)): Promise<Clustered> {
    return this.#clusters.make(hub, clusterSettings(spec), this.#itemsOf(hub), monitor);
  }

  /** Makes the toolkits as `make` does, but sends no requests. Throws `ModelProblem` if a model would be needed. */
  look(hub: Hub, spec: RunSpec, signal = this.#signal): Promise<Clustered> {
    return this.#clusters.look(hub, clusterSettings(spec), this.#itemsOf(hub), unmonitored(signal));
  }

  async prepare(spec: RunSpec, _: readonly unknown[], monitor: Monitor): Promise<void> {
    const hub = groupedHub(spec);
    if (hub !== undefined) await this.make(hub, spec, monitor);
  }

  made(spec: RunSpec): MadeToolkits {
    const hub = groupedHub(spec);
    const made = hub && this.#clusters.made(hub, clusterSettings(spec));
    return made === undefined ? {} : { [hub!]: made };
  }

  async take(spec: RunSpec, _: readonly unknown[], made: MadeToolkits): Promise<void> {
    const hub = hubOf(spec);
    const own = hub && made[hub];
    if (own !== undefined) await this.#clusters.take(hub!, clusterSettings(spec), this.#itemsOf(hub!), own);
  }

  requests(spec: RunSpec) {
    const hub = groupedHub(spec);
    return hub === undefined ? [] : clusterRequests(clusterSettings(spec), hub, this.#opened.get(hub)!.apis.length);
  }

  async clusters(spec: RunSpec) {
    const hub = groupedHub(spec);
    return hub && (await this.look(hub, spec)).view();
  }

  #itemsOf(hub: Hub) {
    return async () => this.#opened.get(hub)!.apis.map(clusterItem);
  }
}

const clusterItem = (api: HubApi): ClusterItem => ({
  spec: toolOf(api),
  text: `${api.domain}. ${api.functionality}. ${api.description}`,
  api: {
    functionality: `${api.domain}. ${api.functionality}. ${api.description}`,
    id: api.index,
    api_dest: {
      name: api.api_name,
      package_name: api.framework,
      type_name: api.domain,
      desc: `${api.functionality}. ${api.description}`,
      package_desc: "",
    },
    api_doc: { api_call: api.api_call },
    toolkit: -1,
    toolkit_fun: "",
  },
});

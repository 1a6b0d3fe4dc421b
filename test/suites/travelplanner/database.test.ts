import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import { contentOf } from "../../../suites/travelplanner/data/archive.ts";
import { buildData } from "../../../suites/travelplanner/data/build-data.ts";
import { readCsv } from "../../../suites/travelplanner/data/csv.ts";
import { DATABASE, openSandbox } from "../../../suites/travelplanner/data/database.ts";
import { describePublished, shared } from "../../shared.ts";
import { tools } from "./world.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sample = sampleFolder("travelplanner");
const tables = (...path: string[]) => join(folder, "source", "database", ...path);

function copySample(): string {
  cpSync(sample, join(folder, "source"), { recursive: true });
  return join(folder, "source");
}

/** A zip archive with one file, as common programs write it. */
function zipped(name: string, content: Buffer): Buffer {
  const data = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(crc32(content), 16);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(content.length, 24);
  entry.writeUInt16LE(name.length, 28);
  const start = 30 + name.length + data.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, Buffer.from(name), data, entry, Buffer.from(name), end]);
}

async function cells(...chunks: string[]): Promise<string[][]> {
  const rows: string[][] = [];
  const bytes = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk, "latin1");
  })();
  await readCsv(bytes, "x.csv", (row) => rows.push([...row]));
  return rows;
}

describe("tables in CSV", () => {
  test("keep commas, quotes and line breaks in quoted cells, wherever the stream is split", async () => {
    const text = 'a,b,c\r\n1,"x, ""y""\nz",\n\n"","q"r,5" TV\n"last",,"end"';
    const expected = [
      ["a", "b", "c"],
      ["1", 'x, "y"\nz', ""],
      ["", "qr", '5" TV'],
      ["last", "", "end"],
    ];
    expect(await cells(text)).toEqual(expected);
    for (let cut = 1; cut < text.length; cut++) {
      expect(await cells(text.slice(0, cut), text.slice(cut)), `cut at ${cut}`).toEqual(expected);
    }
  });

  test("report a quote that is never closed, even in a large file", async () => {
    await expect(cells('a,b\n1,"open\n2,3')).rejects.toThrow("Expected record 2 of x.csv to end its quoted value");
    await expect(
      cells(
        'a\n"',
        ..."x"
          .repeat(40)
          .split("")
          .map((x) => x.repeat(50_000)),
      ),
    ).rejects.toThrow("record 2");
  });
});

describe("compressed table files", () => {
  test("have the same contents whether plain, gzipped or zipped", async () => {
    const content = Buffer.from("a,b\n".repeat(100_000));
    writeFileSync(join(folder, "f.csv"), content);
    writeFileSync(join(folder, "f.csv.gz"), gzipSync(content));
    writeFileSync(join(folder, "f.zip"), zipped("f.csv", content));
    for (const name of ["f.csv", "f.csv.gz", "f.zip"]) {
      const read: Uint8Array[] = [];
      for await (const chunk of contentOf(join(folder, name))) read.push(chunk);
      expect(Buffer.concat(read).equals(content), name).toBe(true);
    }
  });

  test("report a damaged archive by name", async () => {
    const read = async (name: string) => {
      for await (const _ of contentOf(join(folder, name)));
    };
    const whole = zipped("f.csv", Buffer.from("a,b\n".repeat(1000)));
    writeFileSync(join(folder, "cut.zip"), whole.subarray(0, 60));
    writeFileSync(join(folder, "cut.csv.gz"), gzipSync("a,b\n".repeat(1000)).subarray(0, 30));
    const broken = Buffer.from(whole);
    broken.fill(0xff, 36, 50);
    writeFileSync(join(folder, "broken.zip"), broken);
    await expect(read("cut.zip")).rejects.toThrow(/cut\.zip: the list of files at the end is missing/);
    await expect(read("cut.csv.gz")).rejects.toThrow("cut.csv.gz to be a complete, readable file");
    await expect(read("broken.zip")).rejects.toThrow("broken.zip to be a complete, readable file");
  });
});

describe("building TravelPlanner's database", () => {
  const built = () => openSandbox(join(folder, "to"), "sample", tools);

  test("makes one file from the tables, and reports the number of rows", async () => {
    const lines: string[] = [];
    await buildData(copySample(), join(folder, "to"), { ...tools, report: (line) => lines.push(line) });
    expect(readdirSync(join(folder, "to")).toSorted()).toEqual([
      "database",
      "queries",
      "sandbox-origin.json",
      DATABASE,
      `${DATABASE}.sha256`,
    ]);
    expect(lines).toContain("flights: 1,381 rows, the published table has 3,827,361");
    expect(lines.at(-1)).toMatch(/^flight data incomplete: 1,381 of 3,827,361 flights/);
    const sandbox = await built();
    expect(sandbox.citiesIn("Eastmark").toSorted()).toEqual(["Larkfield", "Port Ambrose"]);
    sandbox.close();
  });

  test("omits rows with an empty cell, and keeps line breaks in names and the order of the file", async () => {
    const from = copySample();
    writeFileSync(
      tables("attractions.csv"),
      'Name,Latitude,Longitude,Address,Phone,Website,City\n"Two\nLines",1,2,a,b,c,Lindow\nNo Phone,1,2,a,,c,Lindow\nZ,1,2,a,b,c,Lindow\nA,1,2,a,b,c,Lindow\n',
    );
    await buildData(from, join(folder, "to"), tools);
    const sandbox = await built();
    expect(sandbox.attractionsIn("Lindow").map(({ name }) => name)).toEqual(["Two\nLines", "Z", "A"]);
    expect(sandbox.lodgingsIn("Lindow")).toHaveLength(13);
    sandbox.close();
  });

  test("reads the full file of flights, zipped in its own folder, instead of the extracts", async () => {
    const from = copySample();
    const flights = readFileSync(tables("clean_Flights_2022.csv"));
    rmSync(tables("clean_Flights_2022.csv"));
    mkdirSync(tables("flights"));
    writeFileSync(tables("flights", "clean_Flights_2022.zip"), zipped("clean_Flights_2022.csv", flights));
    writeFileSync(tables("flights_march.csv"), flights.subarray(0, 2000));
    await buildData(from, join(folder, "to"), tools);
    const sandbox = await built();
    expect(sandbox.flights).toBe(1381);
    sandbox.close();
  });

  test("leaves no files behind if a table is damaged, and reports the position of the damage", async () => {
    const from = copySample();
    const expected = async (file: string, text: string, message: string) => {
      const before = readFileSync(tables(file));
      writeFileSync(tables(file), text);
      await expect(buildData(from, join(folder, "to"), tools)).rejects.toThrow(message);
      writeFileSync(tables(file), before);
      expect(readdirSync(join(folder, "to")).filter((name) => name.startsWith("sandbox"))).toEqual([]);
    };
    await expected("attractions.csv", "Name,City\nA,B\n", "Expected a column `Latitude`");
    await expected(
      "attractions.csv",
      "Name,Latitude,Longitude,Address,Phone,Website,City\nA,x,2,a,b,c,L\n",
      "Expected `Latitude` in record 2",
    );
    await expected("attractions.csv", "", "Expected a header line");
    await expected("citySet_with_states.txt", "Lindow Vesperia", "to be a city, a tab and a state");
    rmSync(tables("distance.csv"));
    await expect(buildData(from, join(folder, "to"), tools)).rejects.toThrow(
      "distance.csv (or .csv.gz, .zip), found none",
    );
  });

  test("leaves no database if it is stopped", async () => {
    const stop = AbortSignal.abort(new Error("stopped by hand"));
    await expect(buildData(copySample(), join(folder, "to"), { ...tools, signal: stop })).rejects.toThrow(
      "stopped by hand",
    );
    expect(readdirSync(join(folder, "to"))).toEqual(["queries"]);
  });

  test.each([
    ["truncated", (path: string) => truncateSync(path, 8192)],
    ["emptied", (path: string) => truncateSync(path, 0)],
    ["overwritten", (path: string) => writeFileSync(path, "not a database ".repeat(1000))],
    [
      "partly overwritten",
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.fill(0xff, 40_000, 90_000);
        writeFileSync(path, bytes);
      },
    ],
  ])("happens again from the source if the database was %s", async (_what, damage) => {
    await buildData(copySample(), join(folder, "to"), tools);
    damage(join(folder, "to", DATABASE));
    const sandbox = await built();
    expect(sandbox.flights).toBe(1381);
    sandbox.close();
    // The new database opens even without its source.
    rmSync(join(folder, "source"), { recursive: true });
    (await built()).close();
  });

  test("uses the copied tables if the source no longer exists", async () => {
    await buildData(copySample(), join(folder, "to"), tools);
    rmSync(join(folder, "source"), { recursive: true });
    rmSync(join(folder, "to", DATABASE));
    const sandbox = await built();
    expect(sandbox.flights).toBe(1381);
    sandbox.close();
  });

  test("reads tables from the publisher's folders", async () => {
    const from = copySample();
    for (const [table, files] of Object.entries({
      background: ["citySet.txt", "citySet_with_states.txt"],
      flights: ["clean_Flights_2022.csv"],
      accommodations: ["clean_accommodations_2022.csv"],
    })) {
      mkdirSync(tables(table));
      for (const file of files) {
        cpSync(tables(file), tables(table, file));
        rmSync(tables(file));
      }
    }
    await buildData(from, join(folder, "to"), tools);
    const sandbox = await built();
    expect([sandbox.flights, sandbox.states.size]).toEqual([1381, 16]);
    sandbox.close();
  });

  test("reports a damaged database whose source no longer exists, and gives advice", async () => {
    await buildData(copySample(), join(folder, "to"), tools);
    rmSync(join(folder, "source"), { recursive: true });
    rmSync(join(folder, "to", "database"), { recursive: true });
    truncateSync(join(folder, "to", DATABASE), 5000);
    await expect(built()).rejects.toThrow(
      "found a damaged or incomplete one; build it with `planwright data add travelplanner --from DIR`",
    );
  });
});

test("model text in TravelPlanner is never part of a database query", async () => {
  const sandbox = await openSandbox(sample, "sample", tools);
  const evil = "Lindow' OR '1'='1'; DROP TABLE flights; --";
  expect([sandbox.lodgingsIn(evil), sandbox.flightsOn(evil, evil, evil), sandbox.flightNumbered(evil)]).toEqual([
    [],
    [],
    undefined,
  ]);
  expect(sandbox.driveBetween(evil, evil)).toBeUndefined();
  expect(sandbox.flightsOn("St. Odile", "Bramble Point", "2022-03-05").length).toBeGreaterThan(0);
  sandbox.close();
});

describePublished("the published extract of flights", () => {
  test("causes a warning about missing flights wherever it is used", async () => {
    const loaded = await travelplanner.open({ folder: shared("data/travelplanner"), data: "published" });
    expect(loaded.warnings[0]).toMatch(/^flight data incomplete: 30,110 of 3,827,361 flights/);
    loaded.close!();
  });

  test("has the rows that the paper's evaluator uses", async () => {
    const sandbox = await openSandbox(shared("data/travelplanner"), "published", tools);
    const sum = (rows: (city: string) => readonly unknown[], cities: Iterable<string>) => {
      let count = 0;
      for (const city of cities) count += rows(city).length;
      return count;
    };
    expect(sandbox.states.size).toBe(312);
    expect(new Set(sandbox.states.values()).size).toBe(64);
    expect(sum(sandbox.attractionsIn, sandbox.states.keys())).toBeGreaterThan(4000);
    sandbox.close();
  });
});

/** TwitterAPI: postings, comments and who follows whom. */
import { add, among, dict, getItem, int, iterate, list, str } from "../python/operations.ts";
import { Dict, equal, type Py, text, truth } from "../python/value.ts";
import { error, type Method, record, type Setting, System } from "./system.ts";

const attributes = [
  "username",
  "password",
  "authenticated",
  "tweets",
  "comments",
  "retweets",
  "following_list",
  "tweet_counter",
];

/** Stands for an argument that was left out. */
const unset: Py = ["left out"];

export class Postings extends System {
  readonly typeName = "TwitterAPI";

  constructor(setting: Setting) {
    super(setting);
    this.load(attributes);
    const tweets = this.get("tweets");
    this.set("tweets", new Dict(tweets instanceof Dict ? tweets.entries().map(([id, each]) => [int(id), each]) : []));
  }

  /** One list for all postings without any of their own, which `mention` changes for all of them, as there. */
  #usual(name: string): Py {
    const { shared } = this.setting;
    const known = shared.get(`usual ${name}`) ?? [];
    shared.set(`usual ${name}`, known);
    return known;
  }

  #tweets(): Dict {
    return dict(this.get("tweets"), "values");
  }

  #refused(what: string): Py | undefined {
    const wanted = `User not authenticated. Please authenticate before ${what}.`;
    return truth(this.get("authenticated")) ? undefined : error(wanted);
  }

  #missing(id: Py): Py | undefined {
    return this.#tweets().has(id) ? undefined : error(`Tweet with ID ${text(id)} not found.`);
  }

  #post(content: Py, tags: Py | undefined, mentions: Py | undefined): Py {
    const counter = this.get("tweet_counter");
    const tweet = record({
      id: counter,
      username: this.get("username"),
      content,
      tags: tags ?? this.#usual("tags"),
      mentions: mentions ?? this.#usual("mentions"),
    });
    this.#tweets().set(counter, tweet);
    this.set("tweet_counter", add(counter, 1n));
    return tweet;
  }

  #retweet(id: Py): Py {
    const retweets = dict(this.get("retweets"), "get");
    const name = this.get("username");
    if (!retweets.has(name)) retweets.set(name, []);
    if (among(id, retweets.at(name))) return record({ retweet_status: "Already retweeted" });
    list(retweets.at(name), "append").push(id);
    return record({ retweet_status: "Successfully retweeted" });
  }

  #comment(id: Py, content: Py): Py {
    const comments = dict(this.get("comments"), "get");
    if (!comments.has(id)) comments.set(id, []);
    list(comments.at(id), "append").push(record({ username: this.get("username"), content }));
    return record({ comment_status: "Comment added successfully" });
  }

  #mention(id: Py, names: Py): Py {
    list(getItem(this.#tweets().at(id), "mentions"), "extend").push(...iterate(names));
    return record({ mention_status: "Users mentioned successfully" });
  }

  #follow(name: Py, follows: boolean): Py {
    const following = list(this.get("following_list"), follows ? "append" : "remove");
    const status = follows ? "follow_status" : "unfollow_status";
    if (among(name, following) === follows) return record({ [status]: false });
    if (follows) following.push(name);
    else
      following.splice(
        following.findIndex((each) => equal(each, name)),
        1,
      );
    return record({ [status]: true });
  }

  #search(keyword: Py): Py {
    return this.#tweets()
      .values()
      .filter((tweet) => {
        const sought = str(keyword, "lower").toLowerCase();
        if (str(getItem(tweet, "content"), "lower").toLowerCase().includes(sought)) return true;
        return iterate(getItem(tweet, "tags"))
          .map((tag) => str(tag, "lower").toLowerCase())
          .includes(sought);
      });
  }

  #statistics(name: Py): Py {
    const own = this.#tweets()
      .values()
      .filter((tweet) => equal(getItem(tweet, "username"), name));
    const following = equal(name, this.get("username")) ? iterate(this.get("following_list")).length : 0;
    const retweets = dict(this.get("retweets"), "get").get(name) ?? [];
    return record({
      tweet_count: BigInt(own.length),
      following_count: BigInt(following),
      retweet_count: BigInt(iterate(retweets).length),
    });
  }

  #login(name: Py, password: Py): Py {
    const fits = equal(name, this.get("username")) && equal(password, this.get("password"));
    if (fits) this.set("authenticated", true);
    return record({ authentication_status: fits });
  }

  protected readonly methods: Readonly<Record<string, Method>> = {
    authenticate_twitter: {
      takes: "username password",
      run: (name = null, password = null) => this.#login(name, password),
    },
    posting_get_login_status: { takes: "", run: () => record({ login_status: truth(this.get("authenticated")) }) },
    post_tweet: {
      takes: "content tags mentions",
      defaults: [unset, unset],
      run: (content = null, tags = null, mentions = null) =>
        this.#refused("posting") ??
        this.#post(content, tags === unset ? undefined : tags, mentions === unset ? undefined : mentions),
    },
    retweet: {
      takes: "tweet_id",
      run: (id = null) => this.#refused("retweeting") ?? this.#missing(id) ?? this.#retweet(id),
    },
    comment: {
      takes: "tweet_id comment_content",
      run: (id = null, content = null) =>
        this.#refused("commenting") ?? this.#missing(id) ?? this.#comment(id, content),
    },
    mention: {
      takes: "tweet_id mentioned_usernames",
      run: (id = null, names = null) => this.#missing(id) ?? this.#mention(id, names),
    },
    follow_user: {
      takes: "username_to_follow",
      run: (name = null) => this.#refused("following") ?? this.#follow(name, true),
    },
    list_all_following: {
      takes: "",
      run: () => this.#refused("listing following") ?? record({ following_list: this.get("following_list") }),
    },
    unfollow_user: {
      takes: "username_to_unfollow",
      run: (name = null) => this.#refused("unfollowing") ?? this.#follow(name, false),
    },
    get_tweet: { takes: "tweet_id", run: (id = null) => this.#missing(id) ?? this.#tweets().at(id) },
    get_user_tweets: {
      takes: "username",
      run: (name = null) =>
        this.#tweets()
          .values()
          .filter((tweet) => equal(getItem(tweet, "username"), name)),
    },
    search_tweets: { takes: "keyword", run: (keyword = null) => this.#search(keyword) },
    get_tweet_comments: {
      takes: "tweet_id",
      run: (id = null) => this.#missing(id) ?? dict(this.get("comments"), "get").get(id) ?? [],
    },
    get_user_stats: { takes: "username", run: (name = null) => this.#statistics(name) },
  };
}

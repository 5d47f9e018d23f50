#include "web/phrase.h"

#include "report/words.h"

enum { LANGUAGES = 3 }; /* English, Chinese, Japanese */

/* clang-format off */
static const char *const phrases[PHRASES][LANGUAGES] = {
    [PHRASE_SKIP]         = {"Skip to content", "跳到正文", "本文へ移動"},
    [PHRASE_LANGUAGE]     = {"Language", "语言", "言語"},
    [PHRASE_HELP]         = {"Help", "帮助", "ヘルプ"},
    [PHRASE_MENU]         = {"Menu", "菜单", "メニュー"},
    [PHRASE_BACK]         = {"Back", "返回", "戻る"},
    [PHRASE_SAVE]         = {"Save", "保存", "保存"},
    [PHRASE_OLDER]        = {"Older entries", "更早的记录", "以前の記録"},
    [PHRASE_NOTHING]      = {"There is nothing here yet.", "这里还没有内容。", "まだ何もありません。"},
    [PHRASE_DONE]         = {"Done.", "已完成。", "完了しました。"},

    [PHRASE_BAD_REQUEST]   = {"The request could not be understood.", "无法理解该请求。", "リクエストを理解できませんでした。"},
    [PHRASE_NOT_SIGNED_IN] = {"Your session has ended. Please sign in again, or open your invitation link once more.",
                              "会话已结束。请重新登录，或再次打开邀请链接。",
                              "セッションが終了しました。もう一度サインインするか、招待リンクを開き直してください。"},
    [PHRASE_FORBIDDEN]     = {"This page is not open to your account.", "你的账户无权访问此页面。", "このページはお使いのアカウントでは開けません。"},
    [PHRASE_NOT_FOUND]     = {"There is no such page.", "没有这个页面。", "そのページはありません。"},
    [PHRASE_BAD_METHOD]    = {"This address cannot be used that way.", "该地址不支持这种操作。", "このアドレスはその方法では使えません。"},
    [PHRASE_TOO_LARGE]     = {"That was more than this page takes.", "提交的内容超出了此页面的上限。", "このページで受け付けられる量を超えています。"},
    [PHRASE_BAD_TYPE]      = {"This page does not take content of that type.", "此页面不接受该类型的内容。", "このページはその形式の内容を受け付けません。"},
    [PHRASE_TOO_MANY]      = {"Too many attempts. Please wait %s seconds and try again.", "尝试次数过多。请等待 %s 秒后再试。",
                              "試行回数が多すぎます。%s 秒待ってからもう一度お試しください。"},
    [PHRASE_SERVER_FAULT]  = {"Something went wrong on our side. Nothing you saved before is lost.", "服务器出错。此前已保存的内容不会丢失。",
                              "サーバー側で問題が起きました。すでに保存した内容は失われていません。"},
    [PHRASE_UNAVAILABLE]   = {"The server is busy. Please try again in a moment.", "服务器繁忙，请稍后再试。", "サーバーが混み合っています。少し待ってからもう一度お試しください。"},
    [PHRASE_FORM_OLD]      = {"This form is no longer valid. Go back, reload the page and send it again.", "此表单已失效。请返回，刷新页面后重新提交。",
                              "このフォームは無効になりました。戻ってページを再読み込みし、もう一度送信してください。"},
    [PHRASE_FORM_ORIGIN]   = {"This form was not sent from this site (%s). If you reached this page through another address, its operator must start the server with --public-url.",
                              "此表单并非由本站提交（%s）。如果你通过其他地址访问本页，请管理员用 --public-url 启动服务器。",
                              "このフォームは当サイトから送信されたものではありません（%s）。別のアドレスからこのページを開いた場合は、運営者が --public-url を付けてサーバーを起動する必要があります。"},

    [PHRASE_SIGN_IN]             = {"Sign in", "登录", "サインイン"},
    [PHRASE_SIGN_OUT]            = {"Sign out", "退出登录", "サインアウト"},
    [PHRASE_SIGN_OUT_EVERYWHERE] = {"Sign out everywhere", "在所有设备上退出登录", "すべての端末からサインアウト"},
    [PHRASE_NAME]                = {"Name", "名称", "名前"},
    [PHRASE_PASSWORD]            = {"Password", "密码", "パスワード"},
    [PHRASE_PASSWORD_RULE]       = {"At least 12 characters. Pasting and password managers work.", "至少 12 个字符。可以粘贴，也可以使用密码管理器。",
                                    "12 文字以上。貼り付けやパスワード管理ソフトも使えます。"},
    [PHRASE_WRONG_LOGIN]         = {"Name or password is wrong.", "名称或密码错误。", "名前またはパスワードが違います。"},
    [PHRASE_SETUP]               = {"Set up this server", "设置服务器", "サーバーの初期設定"},
    [PHRASE_SETUP_LEAD]          = {"Nobody has an account here yet. The one-time code was printed in the terminal where the server was started.",
                                    "这里还没有任何账户。一次性代码显示在启动服务器的终端里。",
                                    "まだアカウントがありません。ワンタイムコードは、サーバーを起動した端末に表示されています。"},
    [PHRASE_SETUP_CODE]          = {"One-time code", "一次性代码", "ワンタイムコード"},
    [PHRASE_SETUP_WRONG]         = {"That is not the code in the terminal.", "与终端里显示的代码不符。", "端末に表示されたコードと違います。"},
    [PHRASE_STAY]                = {"Stay signed in", "保持登录", "サインインを続ける"},
    [PHRASE_SESSION_ENDS]        = {"You will be signed out soon because nothing was sent for a while.", "由于一段时间没有操作，即将自动退出登录。",
                                    "しばらく操作がないため、まもなくサインアウトします。"},

    [PHRASE_ACCOUNTS]         = {"Accounts", "账户", "アカウント"},
    [PHRASE_ACCOUNT_NEW]      = {"New account", "新建账户", "新しいアカウント"},
    [PHRASE_ROLE]             = {"Role", "角色", "役割"},
    [PHRASE_ROLE_ADMIN]       = {"Administrator", "管理员", "管理者"},
    [PHRASE_ROLE_COORDINATOR] = {"Coordinator: invitations and progress, no scores by model", "协调员：邀请与进度，看不到各模型得分", "コーディネーター：招待と進行状況。モデル別の得点は見えません"},
    [PHRASE_ROLE_ANALYST]     = {"Analyst: results and exports", "分析员：结果与导出", "分析者：結果とエクスポート"},
    [PHRASE_STATE]            = {"State", "状态", "状態"},
    [PHRASE_ENABLED]          = {"may sign in", "可登录", "サインイン可"},
    [PHRASE_DISABLED]         = {"disabled", "已停用", "停止中"},
    [PHRASE_ENABLE]           = {"Enable", "启用", "再開"},
    [PHRASE_DISABLE]          = {"Disable", "停用", "停止"},
    [PHRASE_CREATED]          = {"Created", "创建时间", "作成日時"},
    [PHRASE_ADD]              = {"Add", "添加", "追加"},
    [PHRASE_MY_ACCOUNT]       = {"My account", "我的账户", "マイアカウント"},
    [PHRASE_PASSWORD_OLD]     = {"Current password", "当前密码", "現在のパスワード"},
    [PHRASE_PASSWORD_NEW]     = {"New password", "新密码", "新しいパスワード"},
    [PHRASE_PASSWORD_CHANGE]  = {"Change password", "修改密码", "パスワードを変更"},
    [PHRASE_PASSWORD_WRONG]   = {"The current password is wrong.", "当前密码错误。", "現在のパスワードが違います。"},
    [PHRASE_PASSWORD_SHORT]   = {"The password must have at least 12 characters, and at most 1000 bytes.", "密码至少 12 个字符，最长 1000 字节。",
                                 "パスワードは 12 文字以上、1000 バイト以下にしてください。"},
    [PHRASE_NAME_BAD]         = {"A name has 1 to 64 letters, digits and the signs . _ - @ and is not taken.", "名称为 1 到 64 个字母、数字或 . _ - @，且不能与已有名称重复。",
                                 "名前は 1～64 文字の英数字と . _ - @ で、まだ使われていないものにしてください。"},
    [PHRASE_LAST_ADMIN]       = {"The last administrator must stay.", "必须保留至少一位管理员。", "最後の管理者は残さなければなりません。"},
    [PHRASE_AUDIT]            = {"Audit log", "审计日志", "監査ログ"},
    [PHRASE_WHEN]             = {"When (UTC)", "时间（UTC）", "日時（UTC）"},
    [PHRASE_WHO]              = {"Who", "操作者", "実行者"},
    [PHRASE_WHAT]             = {"What", "操作", "操作"},
    [PHRASE_SUBJECT]          = {"Subject", "对象", "対象"},
    [PHRASE_DETAIL]           = {"Detail", "详情", "詳細"},

    [PHRASE_RUNS]     = {"Runs", "运行", "実行"},
    [PHRASE_RUN]      = {"Run", "运行", "実行"},
    [PHRASE_SUITE]    = {"Suite", "题库", "課題集"},
    [PHRASE_MODELS]   = {"Models", "模型", "モデル"},
    [PHRASE_ANSWERS]  = {"Answers", "回答", "回答"},
    [PHRASE_VERDICTS] = {"Verdicts", "评判", "判定"},
    [PHRASE_NO_RUNS]  = {"There is no run in this database yet. `audition run` makes one.", "此数据库中还没有运行。用 `audition run` 创建。",
                         "このデータベースにはまだ実行がありません。`audition run` で作成できます。"},
};
/* clang-format on */

const char *phrase_of(const char *language, enum phrase p)
{
    return words_one(language, phrases[p]);
}

const char *phrase_with(struct arena *a, const char *language, enum phrase p, const char *value)
{
    return words_fill(a, phrase_of(language, p), value);
}
